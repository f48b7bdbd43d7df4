import { useEffect, useMemo, useSyncExternalStore } from "react"
import { type Bindings, useKeys } from "./Keys.ts"

/** An action that a page offers by key and in the palette. */
export interface Command {
  readonly label: string
  /** The key as `useKeys` names it. */
  readonly hint?: string
  readonly pick: () => void
}

let offered: ReadonlyArray<Command> = []
const listeners = new Set<() => void>()

const change = (next: ReadonlyArray<Command>): void => {
  offered = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the commands of the pages that are shown. */
export const useCommands = (): ReadonlyArray<Command> => useSyncExternalStore(subscribe, () => offered)

const bindingsOf = (commands: ReadonlyArray<Command>): Bindings =>
  Object.fromEntries(commands.flatMap(({ hint, pick }) => (hint === undefined ? [] : [[hint, pick]])))

/** Offers commands while a component is shown. The caller memoises the list. */
export const useOfferedCommands = (commands: ReadonlyArray<Command>): void => {
  useKeys(useMemo(() => bindingsOf(commands), [commands]))
  useEffect(() => {
    change([...offered, ...commands])
    return () => change(offered.filter((command) => !commands.includes(command)))
  }, [commands])
}
