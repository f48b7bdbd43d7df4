import { useEffect } from "react"

/**
 * Actions by key. A name is a key in lower case, with `mod+` for Ctrl or Cmd and `shift+` for Shift. `g 1` is the key `1`
 * directly after `g`.
 */
export type Bindings = Readonly<Record<string, () => void>>

/**
 * The fields that take letters. A checkbox keeps the focus after a click but does not. A button that cannot act yet takes
 * no letters either, but the person who has clicked it was writing.
 */
const fields = "input:not([type=checkbox], [type=radio]), textarea, select, button[aria-disabled=true]"

const isMac = /Mac|iP(?:ad|hone)/u.test(navigator.platform)

const names: Readonly<Record<string, string>> = {
  mod: isMac ? "⌘" : "Ctrl",
  shift: isMac ? "⇧" : "Shift",
  escape: "Esc",
  enter: "Enter"
}

/** Returns the name of a key as the keyboard shows it, for example `Ctrl+K` for `mod+k`. */
export const keyName = (key: string): string =>
  key
    .split("+")
    .map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(isMac ? "" : "+")

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(fields))

const nameOf = (event: KeyboardEvent): string => {
  const mod = event.ctrlKey || event.metaKey ? "mod+" : ""
  return `${mod}${event.shiftKey ? "shift+" : ""}${event.key.toLowerCase()}`
}

/** The first key of a sequence. */
const firstOfSequence = "g"

let [before, last] = ["", ""]

// Before the listeners of the components, so that all of them see the same keys.
document.addEventListener(
  "keydown",
  (event) => {
    ;[before, last] = [last, isTyping(event.target) ? "" : nameOf(event)]
  },
  { capture: true }
)

const place = "leadloom.single-keys"

/** Returns whether keys without Ctrl or Cmd have an effect (WCAG 2.1.4). This browser keeps the choice. */
export const hasSingleKeys = (): boolean => localStorage.getItem(place) !== "off"

export const setSingleKeys = (isOn: boolean): void =>
  isOn ? localStorage.removeItem(place) : localStorage.setItem(place, "off")

/** Keys with Ctrl that a field needs itself. */
const fieldKeys: ReadonlySet<string> = new Set(["mod+a", "mod+enter"])

const isBlocked = (name: string, event: KeyboardEvent): boolean => {
  const isElsewhere = isTyping(event.target) || document.querySelector("[role=dialog],dialog[open]") !== null
  return name.startsWith("mod+") ? fieldKeys.has(name) && isElsewhere : isElsewhere || !hasSingleKeys()
}

/**
 * Binds keys while a component is shown. Ignores single letters in fields and in dialogs, keys with Alt, and keys of an
 * input method (WCAG 2.1.4).
 */
export const useKeys = (bindings: Bindings): void =>
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const name = before === firstOfSequence ? `${firstOfSequence} ${nameOf(event)}` : nameOf(event)
      const action = bindings[name]
      if (action === undefined || isBlocked(name, event)) return
      if (event.altKey || event.isComposing || event.defaultPrevented) return
      event.preventDefault()
      action()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [bindings])
