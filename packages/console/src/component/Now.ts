import { useSyncExternalStore } from "react"

/** Shown durations are renewed after this time in milliseconds. */
const stepMillis = 30_000

const subscribe = (onStep: () => void): (() => void) => {
  const timer = setInterval(onStep, stepMillis)
  return () => clearInterval(timer)
}

/** Returns the current time, rounded down to a step, and renews it while a component is shown. */
export const useNow = (): number =>
  useSyncExternalStore(subscribe, () => Math.floor(Date.now() / stepMillis) * stepMillis)
