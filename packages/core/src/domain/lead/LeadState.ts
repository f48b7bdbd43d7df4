import { Data } from "effect"

/** Every state, in the order of a lead's life. */
export const leadStates = ["open", "engaged", "qualified", "won", "lost", "archived"] as const

/** Where a lead stands. */
export type LeadState = (typeof leadStates)[number]

/**
 * `open → engaged → qualified → won | lost`, any → `archived`, `lost | archived → open`. One step at a time: skipping
 * ahead would leave out what reports count. The steps back to `open` are what happens by itself when the contact writes
 * again; a person may take them too, to undo a wrong click. Staying where one is is not a transition.
 */
const steps: Readonly<Record<LeadState, ReadonlyArray<LeadState>>> = {
  open: ["engaged", "archived"],
  engaged: ["qualified", "archived"],
  qualified: ["won", "lost", "archived"],
  won: ["archived"],
  lost: ["open", "archived"],
  archived: ["open"]
}

/** Whether a lead may go from one state to another; if not, where it may go. */
export type TransitionCheck = { readonly ok: true } | { readonly ok: false; readonly legal: ReadonlyArray<LeadState> }

/** Checks one transition against the table above. */
export const mayTransition = (from: LeadState, to: LeadState): TransitionCheck =>
  steps[from].includes(to) ? { ok: true } : { ok: false, legal: steps[from] }

/** The state of a lead after a message from its contact: a lost or archived lead opens again, the others stay. */
export const afterContactWrote = (state: LeadState): LeadState =>
  state === "lost" || state === "archived" ? "open" : state

/** A lead may not go from the one state to the other in one step. */
export class TransitionIllegal extends Data.TaggedError("TransitionIllegal")<{
  readonly from: LeadState
  readonly to: LeadState
  /** Where it may go instead. */
  readonly legal: ReadonlyArray<LeadState>
}> {}
