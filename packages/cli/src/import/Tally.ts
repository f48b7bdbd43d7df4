import type { ImportResult } from "@leadloom/client"

/** The results of an import so far. */
export interface Tally {
  /** The number of mails for each outcome. Outcomes without mails are absent. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly failed: ReadonlyArray<{ readonly name: string; readonly detail: string }>
  /** The number of mails that an earlier run finished. */
  readonly skipped: number
  readonly threads: number
  readonly contacts: number
}

/** Counts the results of an import. */
export interface Counter {
  readonly add: (results: ReadonlyArray<ImportResult>) => void
  readonly skip: () => void
  readonly fail: (name: string, detail: string) => void
  readonly tally: () => Tally
}

/** Creates an empty counter. */
export const newCounter = (): Counter => {
  const outcomes = new Map<string, number>()
  const failed: Array<{ readonly name: string; readonly detail: string }> = []
  const threads = new Set<string>()
  const contacts = new Set<string>()
  let skipped = 0
  const count = (outcome: string): void => {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  const fail = (name: string, detail: string): void => {
    count("failed")
    failed.push({ name, detail })
  }
  return {
    add: (results) => {
      for (const { name, outcome, thread_id, contact_id, detail } of results) {
        if (outcome === "failed") fail(name, detail ?? "The server gave no reason.")
        else count(outcome)
        if (thread_id !== null) threads.add(thread_id)
        if (contact_id !== null) contacts.add(contact_id)
      }
    },
    skip: () => {
      skipped++
    },
    fail,
    tally: () => ({
      outcomes: Object.fromEntries([...outcomes].toSorted()),
      failed,
      skipped,
      threads: threads.size,
      contacts: contacts.size
    })
  }
}

/** Returns the number of mails with a result from the server. */
export const arrivals = (tally: Tally): number => Object.values(tally.outcomes).reduce((sum, count) => sum + count, 0)
