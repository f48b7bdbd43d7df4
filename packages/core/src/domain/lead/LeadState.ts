import { TaggedError } from "../TaggedError.ts"

/** The states of a lead, in the order in which a lead passes through them. */
export const leadStates = ["open", "engaged", "qualified", "won", "lost", "archived"] as const

export type LeadState = (typeof leadStates)[number]

/**
 * The allowed transitions: `open → engaged → qualified → won | lost`, any → `archived`, `lost | archived → open`. A
 * lead cannot skip a state, because reports count the leads in each state. A new message of the contact reopens a lead
 * automatically. A person can also reopen a lead, to correct a mistake. A change to the same state is not a transition.
 */
const steps: Readonly<Record<LeadState, ReadonlyArray<LeadState>>> = {
  open: ["engaged", "archived"],
  engaged: ["qualified", "archived"],
  qualified: ["won", "lost", "archived"],
  won: ["archived"],
  lost: ["open", "archived"],
  archived: ["open"]
}

/** Returns the states that may follow a state. */
export const nextStatesOf = (from: LeadState): ReadonlyArray<LeadState> => steps[from]

/** The result of a check whether a transition is allowed. `legal` lists the allowed target states. */
export type TransitionCheck = { readonly ok: true } | { readonly ok: false; readonly legal: ReadonlyArray<LeadState> }

/** Checks whether a transition is allowed. */
export const mayTransition = (from: LeadState, to: LeadState): TransitionCheck =>
  steps[from].includes(to) ? { ok: true } : { ok: false, legal: steps[from] }

/**
 * Returns the state after a message from the contact. A lost or archived lead becomes open; other states do not change.
 */
export const afterContactWrote = (state: LeadState): LeadState =>
  state === "lost" || state === "archived" ? "open" : state

/** The transition is not allowed. */
export class TransitionIllegal extends TaggedError("TransitionIllegal")<{
  readonly from: LeadState
  readonly to: LeadState
  /** The allowed target states. */
  readonly legal: ReadonlyArray<LeadState>
}> {}
