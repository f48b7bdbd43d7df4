/** The severity of a finding. `problem`: a function does not work, or will soon stop working. */
export type Level = "ok" | "warning" | "problem"

/** One result of a check. */
export interface Finding {
  readonly level: Level
  /** The observation in one line. */
  readonly found: string
  /** The next step; null if none is needed. */
  readonly advice: string | null
}

/** A finding with the name of its check. */
export interface NamedFinding extends Finding {
  readonly check: string
}

/** Returns a finding that needs no action. */
export const healthy = (found: string): Finding => ({ level: "ok", found, advice: null })

/** Returns a finding about something that works but needs the operator's attention. */
export const warning = (found: string, advice: string): Finding => ({ level: "warning", found, advice })

/** Returns a finding about something that does not work. */
export const problem = (found: string, advice: string): Finding => ({ level: "problem", found, advice })
