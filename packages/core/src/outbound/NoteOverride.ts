import { noteChange } from "../audit/Audited.ts"
import type { MessageId } from "../Id.ts"
import type { SendOverride } from "./Override.ts"

/** Notes for the audit trail which message an override let out. Runs inside the unit of work that reserves it. */
export const noteOverride = ({ reasons }: SendOverride, messageId: MessageId) =>
  noteChange({ before: null, after: { override: [...reasons], message_id: messageId } })
