/** The parts of the page of a sequence. */
export const sequenceTabs = ["steps", "results", "enrolments", "preview", "simulation", "edit"] as const
export type SequenceTab = (typeof sequenceTabs)[number]

/** The states by which enrolments can be filtered. */
export const enrolmentStates = ["active", "paused", "completed", "stopped", "held_out"] as const
export type EnrolmentState = (typeof enrolmentStates)[number]

/** The part of the address that selects the content of the page of a sequence. */
export interface SequenceSearch {
  readonly tab?: SequenceTab
  readonly state?: EnrolmentState
}

/** Reads tab and filter from an address. */
export const readSequenceSearch = (search: Readonly<Record<string, unknown>>): SequenceSearch => {
  const tab = sequenceTabs.find((one) => one === search["tab"])
  const state = enrolmentStates.find((one) => one === search["state"])
  return { ...(tab === undefined ? {} : { tab }), ...(state === undefined ? {} : { state }) }
}
