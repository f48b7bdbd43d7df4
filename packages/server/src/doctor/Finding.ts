/** How bad it is: a problem keeps the service from working, or soon will. */
export type Level = "ok" | "warning" | "problem"

/** Something that the doctor has seen. */
export interface Finding {
  readonly level: Level
  /** What was found, in one line. */
  readonly found: string
  /** What to do about it; null: nothing. */
  readonly advice: string | null
}

/** A finding and the check that made it. */
export interface NamedFinding extends Finding {
  readonly check: string
}

/** All is well. */
export const healthy = (found: string): Finding => ({ level: "ok", found, advice: null })

/** It works, and somebody should look at it. */
export const warning = (found: string, advice: string): Finding => ({ level: "warning", found, advice })

/** It does not work. */
export const problem = (found: string, advice: string): Finding => ({ level: "problem", found, advice })
