// Making elements, and finding those that the page has.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

/** An element with attributes, listeners (`onclick`) and children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== undefined && value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/** The element with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** A number with thin spaces between thousands. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ' ');
}

/** A number of bytes in words. */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kibi = bytes / 1024;
  if (kibi < 1024) return `${kibi < 10 ? kibi.toFixed(1) : Math.round(kibi)} KiB`;
  return `${(kibi / 1024).toFixed(1)} MiB`;
}

/** `1 level`, `2 levels`. */
export function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}
