import type { JSX } from "preact";

/** One row of choices, of which one is open. Left and right move along it. */
export function Tabs({
  label,
  tabs,
  open,
  onOpen,
}: {
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly title: string; readonly count?: number | undefined }[];
  readonly open: string;
  readonly onOpen: (name: string) => void;
}): JSX.Element {
  const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = (tabs.findIndex(({ name }) => name === open) + step + tabs.length) % tabs.length;
    const button = event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[next];
    button?.focus();
    button?.click();
    event.preventDefault();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ name, title, count }) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === open}
          tabIndex={name === open ? 0 : -1}
          onClick={() => onOpen(name)}
        >
          {title}
          {count === undefined ? null : <span class="count"> {count.toLocaleString("en")}</span>}
        </button>
      ))}
    </div>
  );
}
