import { useEffect } from "react"

/** Actions by key. A name is a key in lower case, with `mod+` for Ctrl or Cmd and `shift+` for Shift. */
export type Bindings = Readonly<Record<string, () => void>>

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/u.test(target.tagName))

const nameOf = (event: KeyboardEvent): string => {
  const mod = event.ctrlKey || event.metaKey ? "mod+" : ""
  return `${mod}${event.shiftKey ? "shift+" : ""}${event.key.toLowerCase()}`
}

/**
 * Binds keys while a component is shown. Ignores single letters in fields and in dialogs, keys with Alt, and keys of an
 * input method (WCAG 2.1.4).
 */
export const useKeys = (bindings: Bindings): void =>
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const name = nameOf(event)
      const action = bindings[name]
      if (action === undefined || event.altKey || event.isComposing || event.defaultPrevented) return
      if (
        !name.startsWith("mod+") &&
        (isTyping(event.target) || document.querySelector("[role=dialog],dialog[open]") !== null)
      )
        return
      event.preventDefault()
      action()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [bindings])
