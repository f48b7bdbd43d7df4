import type { LeadId, MessageId, ScoreId, SignalId } from "../Id.ts"
import type { Classification } from "../classification/Classification.ts"
import type { Score } from "./Score.ts"

/** One scoring of a lead, as it was: later ones stand beside it. */
export interface ScoreRecord extends Score {
  readonly scoreId: ScoreId
  readonly tenantId: string
  readonly leadId: LeadId
  /** The message that was scored; null where the lead had none. */
  readonly messageId: MessageId | null
  /** The pipeline run that scored; null: somebody asked. */
  readonly signalId: SignalId | null
  /** Null when nothing classifies for the tenant. */
  readonly classification: Classification | null
  readonly createdAt: number
}
