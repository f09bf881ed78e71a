import { lexer, type Token, type Tokens } from "marked";
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";

/**
 * Markdown as elements. Text becomes text nodes, never HTML: raw HTML is shown as it is written, images as their address, and links show where they lead.
 * No part of the text becomes an attribute except the address of a link, which must be http, https or mailto.
 */
export function Markdown({ text }: { readonly text: string }): JSX.Element {
  const tokens = useMemo(() => lexer(text, { gfm: true }), [text]);
  return <div class="markdown">{blocks(tokens)}</div>;
}

function blocks(tokens: readonly Token[]): ComponentChildren {
  return tokens.map((token, at) => <Block key={at} token={token as Tokens.Generic} />);
}

/** Deeper nesting is shown as it is written. */
const deepest = 24;

function Block({ token, depth = 0 }: { readonly token: Tokens.Generic; readonly depth?: number }): JSX.Element | null {
  if (depth > deepest) return <pre>{token.raw}</pre>;
  const inner = (tokens: readonly Token[] | undefined): ComponentChildren =>
    (tokens ?? []).map((one, at) => <Block key={at} token={one as Tokens.Generic} depth={depth + 1} />);
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading": {
      const level = Math.min(6, (token as Tokens.Heading).depth + 1);
      const Tag = `h${level}` as "h2";
      return <Tag>{inline(token.tokens)}</Tag>;
    }
    case "paragraph":
      return <p>{inline(token.tokens)}</p>;
    case "blockquote":
      return <blockquote>{inner(token.tokens)}</blockquote>;
    case "hr":
      return <hr />;
    case "code":
      return (
        <pre>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case "list": {
      const { ordered, start, items } = token as Tokens.List;
      const all = items.map((item, at) => (
        <li key={at}>
          {item.task ? <input type="checkbox" checked={item.checked === true} disabled aria-label="done" /> : null}
          {inner(item.tokens)}
        </li>
      ));
      return ordered ? <ol start={Number(start) || 1}>{all}</ol> : <ul>{all}</ul>;
    }
    case "table": {
      const { header, rows } = token as Tokens.Table;
      return (
        <div class="scroll-x">
          <table>
            <thead>
              <tr>
                {header.map((cell, at) => (
                  <th key={at}>{inline(cell.tokens)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, column) => (
                    <td key={column}>{inline(cell.tokens)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    }
    case "text":
      return <>{token.tokens === undefined ? plain(token) : inline(token.tokens)}</>;
    case "checkbox":
      return null;
    case "html":
      return <pre class="as-written">{token.raw}</pre>;
    default:
      return <>{inline([token])}</>;
  }
}

function inline(tokens: readonly Token[] | undefined, depth = 0): ComponentChildren {
  return (tokens ?? []).map((token, at) => <Inline key={at} token={token as Tokens.Generic} depth={depth} />);
}

function Inline({ token, depth }: { readonly token: Tokens.Generic; readonly depth: number }): JSX.Element {
  if (depth > deepest) return <>{token.raw}</>;
  switch (token.type) {
    case "strong":
      return <strong>{inline(token.tokens, depth + 1)}</strong>;
    case "em":
      return <em>{inline(token.tokens, depth + 1)}</em>;
    case "del":
      return <del>{inline(token.tokens, depth + 1)}</del>;
    case "codespan":
      return <code>{(token as Tokens.Codespan).text}</code>;
    case "br":
      return <br />;
    case "link":
      return <Link href={(token as Tokens.Link).href}>{inline(token.tokens, depth + 1)}</Link>;
    case "image":
      return (
        <span class="as-written" title="Images are not loaded">
          [image: {(token as Tokens.Image).text} {(token as Tokens.Image).href}]
        </span>
      );
    case "escape":
    case "text":
      return <>{token.tokens === undefined ? plain(token) : inline(token.tokens, depth + 1)}</>;
    default:
      return <>{token.raw}</>;
  }
}

function plain(token: Tokens.Generic): string {
  return typeof token["text"] === "string" ? token["text"] : token.raw;
}

/** A link shows its address, and opens only if it leads to the web or to mail. */
function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }): JSX.Element {
  const shown = href.length > 80 ? `${href.slice(0, 80)}…` : href;
  if (!/^(?:https?:\/\/|mailto:)/iu.test(href))
    return (
      <span class="as-written">
        {children} ({shown})
      </span>
    );
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
      {children}
      <span class="address"> ({shown})</span>
    </a>
  );
}
