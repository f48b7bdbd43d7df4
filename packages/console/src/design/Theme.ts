/** The colours of the console: those of the system, or the choice of the person. */
import { useSyncExternalStore } from "react"

export const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

const place = "leadloom.theme"

const listeners = new Set<() => void>()

/** Returns the choice of this browser. */
const chosenTheme = (): Theme => themes.find((theme) => theme === localStorage.getItem(place)) ?? "system"

/** Shows the chosen colours. `tokens.css` defines them. */
export const showTheme = (): void => {
  document.documentElement.dataset["theme"] = chosenTheme()
}

/** Keeps a choice in this browser, and shows it. */
export const chooseTheme = (theme: Theme): void => {
  if (theme === "system") localStorage.removeItem(place)
  else localStorage.setItem(place, theme)
  showTheme()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the current choice. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, chosenTheme)
