/** What is to be done about calls at the provider. */
export type CallErrand =
  /** A recording of somebody who was erased goes there too. */
  | { readonly kind: "delete_recording"; readonly provider: string; readonly recordingId: string }
  /** Whatever was recorded of some legs goes there too: of a call that was passed on more than one, told of here or not. */
  | { readonly kind: "delete_recordings"; readonly provider: string; readonly legs: ReadonlyArray<string> }
  /** A call is looked after until it is over, also when nobody tells of it. */
  | { readonly kind: "settle_call"; readonly callId: string }

/** A recording is deleted once. */
export const recordingErrandId = (recordingId: string): string => `recording:${recordingId}`

/** What was recorded of a call is deleted once. */
export const recordingsErrandId = (callId: string): string => `recordings:${callId}`

/** The one errand that looks after a call. */
export const settleErrandId = (callId: string): string => `settle:${callId}`
