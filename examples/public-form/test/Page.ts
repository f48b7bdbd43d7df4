import { createContext, runInContext } from "node:vm"

/** The parts of a browser's document that the script uses: fields, notes and events. */
class Element {
  readonly attributes = new Map<string, string>()
  readonly children: Array<Element> = []
  readonly listeners = new Map<string, (event: object) => unknown>()
  after: (note: Element) => void = () => undefined
  remove: () => void = () => undefined
  focus: () => void = () => undefined
  id = ""
  className = ""
  textContent = ""
  value = ""
  readonly setAttribute = (name: string, value: string): void => void this.attributes.set(name, value)
  readonly getAttribute = (name: string): string | null => this.attributes.get(name) ?? null
  readonly removeAttribute = (name: string): void => void this.attributes.delete(name)
  readonly append = (child: Element): void => void this.children.push(child)
  readonly addEventListener = (name: string, listener: (event: object) => unknown): void =>
    void this.listeners.set(name, listener)
}

class Form extends Element {
  readonly dataset: Record<string, string> = {}
  readonly fields = new Map<string, Element>()
  readonly querySelector = (selector: string): Element | null =>
    this.fields.get(/^\[name="(.*)"\]$/u.exec(selector)?.[1] ?? "") ?? null
  readonly reset = (): void => {
    for (const field of this.fields.values()) field.value = ""
  }
}

/** A page with one form. */
export interface Page {
  readonly type: (fields: Readonly<Record<string, string>>) => void
  /** Clicks the button the given number of times. Resolves after all responses. */
  readonly click: (times?: number) => Promise<void>
  /** The text that a screen reader announces. */
  readonly status: () => string
  /** The error messages next to fields, by field name. */
  readonly notes: () => Readonly<Record<string, string>>
  readonly focused: () => string
  readonly value: (name: string) => string
  /** The address that the page navigated to. */
  readonly location: () => string
}

/** Runs the script on a page of an origin, with a form that is submitted to `action`. */
export const openPage = (script: string, origin: string, action: string, names: ReadonlyArray<string>): Page => {
  const form = new Form()
  form.setAttribute("action", action)
  const notes: Record<string, string> = {}
  const seen = { focused: "", location: "" }
  for (const name of names) {
    const field = new Element()
    field.focus = () => void (seen.focused = name)
    field.after = (note) => {
      notes[name] = note.textContent
      note.remove = () => void Reflect.deleteProperty(notes, name)
    }
    form.fields.set(name, field)
  }
  class FormData {
    private readonly of: Form
    constructor(of: Form) {
      this.of = of
    }
    forEach(each: (value: string, name: string) => void) {
      for (const [name, field] of this.of.fields) if (field.value !== "") each(field.value, name)
    }
  }
  runInContext(
    script,
    createContext({
      document: { querySelectorAll: () => [form], createElement: () => new Element() },
      fetch: (url: string, init: RequestInit = {}) => fetch(url, { ...init, headers: { ...init.headers, origin } }),
      location: { assign: (url: string) => void (seen.location = url) },
      HTMLElement: Element,
      HTMLFormElement: Form,
      CSS: { escape: (text: string) => text },
      FormData,
      TextEncoder,
      crypto
    })
  )
  const submit = (): unknown => form.listeners.get("submit")?.({ preventDefault: () => undefined })
  return {
    type: (fields) => {
      form.listeners.get("focusin")?.({})
      for (const [name, value] of Object.entries(fields)) {
        const field = form.fields.get(name)
        if (field !== undefined) field.value = value
      }
    },
    click: async (times = 1) => {
      await Promise.all(Array.from({ length: times }, submit))
    },
    status: () => form.children[0]?.textContent ?? "",
    notes: () => ({ ...notes }),
    focused: () => seen.focused,
    value: (name) => form.fields.get(name)?.value ?? "",
    location: () => seen.location
  }
}
