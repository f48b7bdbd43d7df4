import { useSyncExternalStore } from "react"

/** The conversations that the next bulk change concerns. One change concerns at most this many. */
export const maxSelected = 500

const none: ReadonlySet<string> = new Set()

let selected = none
const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Selects these conversations only, up to the limit of one change. */
export const select = (contactIds: ReadonlyArray<string>): void => {
  selected = new Set(contactIds.slice(0, maxSelected))
  for (const listener of listeners) listener()
}

/** Adds a conversation to the selection, or removes it. */
export const toggleSelected = (contactId: string): void =>
  select(selected.has(contactId) ? [...selected].filter((id) => id !== contactId) : [...selected, contactId])

/** Returns whether this is the selection, and nothing has been selected since. */
export const isSelected = (selection: ReadonlySet<string>): boolean => selected === selection

/** Returns whether a conversation is selected. A change of the selection renders the changed rows only. */
export const useIsSelected = (contactId: string): boolean =>
  useSyncExternalStore(subscribe, () => selected.has(contactId))

/** Returns the contacts of the selected conversations. */
export const useSelection = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => selected)
