import { Autocomplete } from "@base-ui/react/autocomplete"
import { CSPProvider } from "@base-ui/react/csp-provider"
import { Dialog } from "@base-ui/react/dialog"
import { type ReactNode, useEffectEvent, useLayoutEffect, useRef, useState } from "react"
import { text } from "../text/Shared.ts"
import styles from "./Palette.module.css"
import { takeTypedAhead, type Typed } from "./TypedAhead.tsx"

/** An entry of a palette. */
export interface Choice {
  /** Distinguishes entries with the same label. */
  readonly id?: string
  /** Whether the entry is a result of the typed text. Other entries are shown if their label contains it. */
  readonly isFound?: boolean
  readonly label: string
  /** The key that has the same effect, or a further explanation. */
  readonly hint?: string
  readonly pick: () => void
}

interface PaletteProps {
  readonly title: string
  /** What the person can type. Default: the title. */
  readonly hint?: string
  /** Shown if no entry matches. */
  readonly none?: ReactNode
  readonly choices: ReadonlyArray<Choice>
  /** Receives the typed text. */
  readonly onQuery?: (typed: string) => void
  readonly onClose: () => void
}

const matches = ({ isFound = false, label }: Choice, typed: string): boolean =>
  isFound || label.toLowerCase().includes(typed.trim().toLowerCase())

interface FieldProps {
  readonly hint: string
  readonly onShown: (typedAhead: Typed) => void
  /** Enter was pressed before the first entry was highlighted. */
  readonly onEarlyEnter: () => void
}

/**
 * The field of a palette. It takes the text that was typed while the palette was loading, and the focus, before the
 * next key arrives. A rendering does not do this, because React may repeat it. The dialog itself sets the focus only
 * with the next frame.
 */
const Field = ({ hint, onEarlyEnter, onShown }: FieldProps) => {
  const input = useRef<HTMLInputElement>(null)
  const show = useEffectEvent(onShown)
  useLayoutEffect(() => {
    show(takeTypedAhead())
    // After the layout effects of the dialog, which notes the element that has the focus and gives it back at the end.
    queueMicrotask(() => input.current?.focus())
  }, [])
  return (
    <Autocomplete.Input
      ref={input}
      className={styles.input}
      aria-label={hint}
      placeholder={hint}
      onKeyDown={({ currentTarget, key }) => {
        // The highlight follows one frame after the entries, and a person who knows the keys is faster.
        if (key === "Enter" && !currentTarget.hasAttribute("aria-activedescendant")) onEarlyEnter()
      }}
      onFocus={({ currentTarget }) =>
        currentTarget.setSelectionRange(currentTarget.value.length, currentTarget.value.length)
      }
    />
  )
}

/** A dialog in which the person types a few letters and picks an entry. */
export const Palette = ({ choices, title, hint = title, none = text.palette.none, onClose, onQuery }: PaletteProps) => {
  const [typed, setTyped] = useState("")
  const type = (next: string): void => {
    setTyped(next)
    onQuery?.(next)
  }
  const pick = (choice: Choice): void => {
    onClose()
    choice.pick()
  }
  const pickFirst = (wanted: string): void => {
    const first = choices.find((choice) => matches(choice, wanted))
    if (first !== undefined) pick(first)
  }
  const show = ({ isEntered, text: typedAhead }: Typed): void => {
    if (typedAhead !== "") type(typedAhead)
    if (isEntered) pickFirst(typedAhead)
  }
  return (
    <CSPProvider disableStyleElements>
      <Dialog.Root open onOpenChange={(open) => open || onClose()}>
        <Dialog.Portal>
          <Dialog.Backdrop className={styles.backdrop} />
          <Dialog.Popup className={styles.palette}>
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            <Autocomplete.Root
              items={choices}
              value={typed}
              itemToStringValue={(choice) => choice.label}
              filter={matches}
              onValueChange={type}
              open
              inline
              autoHighlight="always"
            >
              <Field hint={hint} onShown={show} onEarlyEnter={() => pickFirst(typed)} />
              <Autocomplete.Empty className={styles.empty}>{none}</Autocomplete.Empty>
              <Autocomplete.List className={styles.list}>
                {(choice: Choice) => (
                  <Autocomplete.Item
                    key={choice.id ?? choice.label}
                    value={choice}
                    className={styles.item}
                    onClick={() => pick(choice)}
                  >
                    <span>{choice.label}</span>
                    {choice.hint === undefined ? null : <kbd className={styles.hint}>{choice.hint}</kbd>}
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </CSPProvider>
  )
}
