import { useLayoutEffect, useRef } from "react"

/** The direction in which an entry of a list moves. */
export type MoveStep = "up" | "down"

/**
 * Returns the reference of a list, and the function that moves the focus with an entry, because its buttons belong to
 * its position. The buttons have the attribute `data-step`.
 */
export const useMovedFocus = <List extends HTMLElement>() => {
  const list = useRef<List>(null)
  const moved = useRef<readonly [position: number, step: MoveStep] | null>(null)
  useLayoutEffect(() => {
    if (moved.current === null) return
    const [position, step] = moved.current
    moved.current = null
    list.current?.children[position]?.querySelector<HTMLElement>(`[data-step=${step}]`)?.focus()
  })
  return [list, (position: number, step: MoveStep) => void (moved.current = [position, step])] as const
}
