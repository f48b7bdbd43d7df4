/**
 * Drag and drop of the cards on the board. The select of each card does the same for keyboards and touch screens (WCAG 2.2,
 * success criterion 2.5.7).
 */
import type { Lead } from "@leadloom/client"

/** The drag of a card. Browsers hide the dragged data until the drop, so the board keeps the lead. */
export interface Drag {
  /** The dragged lead; null: none. */
  readonly lead: Lead | null
  readonly onStart: (lead: Lead) => void
  readonly onEnd: () => void
}

type Handlers = Partial<Record<"dragstart" | "dragend" | "dragover" | "drop", (event: DragEvent) => void>>

/** Returns a ref that listens to the drags of an element. */
const listenTo = (handlers: Handlers) => (element: HTMLElement | null) => {
  if (element === null) return undefined
  const listening = new AbortController()
  const { signal } = listening
  for (const name of ["dragstart", "dragend", "dragover", "drop"] as const) {
    const handle = handlers[name]
    if (handle !== undefined) element.addEventListener(name, handle, { signal })
  }
  return () => listening.abort()
}

/** Returns the ref of a card. */
export const dragSource = (lead: Lead, { onEnd, onStart }: Drag) =>
  listenTo({
    dragstart: ({ dataTransfer }) => {
      if (dataTransfer !== null) dataTransfer.effectAllowed = "move"
      // Firefox starts no drag without data.
      dataTransfer?.setData("text/plain", lead.id)
      onStart(lead)
    },
    dragend: onEnd
  })

/** Returns the ref of a place for cards. `onDrop` is null if the place takes no card. */
export const dropTarget = (onDrop: (() => void) | null) =>
  listenTo({
    dragover: (event) => {
      if (onDrop !== null) event.preventDefault()
    },
    drop: (event) => {
      // Otherwise browsers open a dropped link.
      event.preventDefault()
      onDrop?.()
    }
  })
