/** One text message as it is to leave, whoever carries it. */
export interface OutgoingText {
  /** The tenant's number, E.164. */
  readonly from: string
  /** The contact's number, E.164. */
  readonly to: string
  readonly body: string
  /** What it is counted and paid as. */
  readonly segments: number
  /** No person wrote this. */
  readonly automatic: boolean
}

/** Longest text, in characters: what providers take of one message. */
export const textLimit = 1_600
