import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { go } from "./live.ts";
import { backToRow } from "./rows.tsx";

const keys: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["1", "7"], "Open a view, in the order of the navigation"],
  [["/"], "Search"],
  [["?"], "Show these keys"],
  [["↑", "↓", "Home", "End"], "Move in a list: Tab reaches it once"],
  [["Enter"], "In a list: choose the row, and go to what is beside it"],
  [["Esc"], "Beside a list: go back to the row. In a dialog: close it"],
  [["←", "→"], "Move along tabs; in the calendar, to the day before or after"],
  [["↑", "↓"], "In the calendar: to the week before or after"],
  [["Shift", "Enter"], "In a message for recall: a new line. Enter alone recalls"],
];

/** Follows the keys of the whole page. `views`: the names of the views that 1, 2, … open. Returns the list of keys while it is open, and what opens it. */
export function useKeys(views: readonly string[]): { readonly dialog: JSX.Element | null; readonly open: () => void } {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const { target, key } = event;
      if (
        event.isComposing ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        document.querySelector("dialog[open]") !== null
      )
        return;
      if (key === "Escape" && backToRow() === "moved") return event.preventDefault();
      if (target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null) return;
      const view = views[Number(key) - 1];
      if (view !== undefined) go(view);
      else if (key === "/") toSearch();
      else if (key === "?") setOpen(true);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  return { dialog: isOpen ? <KeysDialog onClose={() => setOpen(false)} /> : null, open: () => setOpen(true) };
}

function KeysDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Gives the focus back.
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} class="confirm" aria-label="Keys" onCancel={onClose}>
      <h2>Keys</h2>
      <dl class="keys">
        {keys.map(([names, what]) => (
          <div key={what}>
            <dt>
              {names.map((name, at) => (
                <span key={name}>
                  {at === 0 ? "" : name === "7" ? " to " : " "}
                  <kbd>{name}</kbd>
                </span>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </dialog>
  );
}

/** Gives the search box the focus, or opens the search, which does so itself. */
function toSearch(): void {
  const box = document.querySelector<HTMLElement>("main [type=search][autofocus]");
  if (box === null) go("search");
  else box.focus();
}
