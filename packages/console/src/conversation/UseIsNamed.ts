import { useLocation } from "@tanstack/react-router"
import { useEffect } from "react"

/** Returns whether the address names an entry of the thread, as a search hit does, and scrolls to it. */
export const useIsNamed = (id: string): boolean => {
  const isNamed = useLocation({ select: ({ hash }) => hash === id })
  useEffect(() => {
    if (isNamed) document.getElementById(id)?.scrollIntoView()
  }, [isNamed, id])
  return isNamed
}
