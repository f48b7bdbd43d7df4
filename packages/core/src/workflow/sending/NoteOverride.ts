import { noteChange } from "../access/Audited.ts"
import type { MessageId } from "../../domain/Id.ts"
import type { SendOverride } from "../../domain/consent/Override.ts"

/** Notes for the audit trail which message an override let out. Runs inside the unit of work that reserves it. */
export const noteOverride = ({ reasons }: SendOverride, messageId: MessageId) =>
  noteChange({ before: null, after: { override: [...reasons], message_id: messageId } })
