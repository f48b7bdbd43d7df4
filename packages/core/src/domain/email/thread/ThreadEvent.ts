import type { NewEvent } from "../../webhook/Event.ts"
import type { ThreadCorrection } from "./ThreadCorrection.ts"

/** Builds the outbound event for a correction of threads, or for its undo. */
export const correctionEvent = (correction: ThreadCorrection): NewEvent => ({
  type: "thread.corrected",
  tenantId: correction.tenantId,
  data: {
    correction_id: correction.correctionId,
    kind: correction.kind,
    thread_id: correction.threadId,
    from_thread_ids: correction.fromThreadIds,
    message_id: correction.messageId,
    undone: correction.undoneAt !== null
  }
})
