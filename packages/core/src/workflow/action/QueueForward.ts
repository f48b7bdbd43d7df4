import { Effect } from "effect"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { maySend } from "../../domain/consent/MaySend.ts"
import { describeReasons } from "../../domain/reason/Reason.ts"
import type { Forward } from "../../domain/rule/action/Forward.ts"
import type { Rendered } from "../../domain/rule/Rule.ts"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"
import { forwardKey } from "../../domain/sending/Reservation.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { readForwardSendContext } from "../sending/ForwardSendContext.ts"
import { done, skipped } from "./AssignAction.ts"

/**
 * Queues the forwarding of the email of a run, in the unit of work of the run. Skips the action if `maySend` denies it
 * now. The job is stored only once, even if the run is retried. `position` is the index of the action in the run.
 */
export const queueForward = Effect.fnUntraced(function* (
  { message, now, signalId, tenant }: ActionTarget,
  ruleId: string,
  position: number,
  { body, to }: Forward,
  rendered?: Rendered
) {
  if (message === null || signalId === null || message.channel !== "email")
    return skipped("only an email can be forwarded")
  if (body !== undefined && (rendered === undefined || "failure" in rendered))
    return skipped("its template was not rendered")
  const recipients = to.map(normalizeEmail)
  const verdict = maySend(yield* readForwardSendContext({ tenant, message, recipients, now, isReserved: false }))
  if (verdict._tag === "Deny") return skipped(describeReasons(verdict.reasons))
  yield* (yield* Jobs).put({
    tenantId: tenant.tenantId,
    jobId: forwardKey(signalId, position),
    dueAt: now,
    createdAt: now,
    job: {
      kind: "forward",
      ruleId,
      signalId,
      position,
      messageId: message.messageId,
      to: recipients,
      body: rendered !== undefined && "text" in rendered ? rendered.text : ""
    }
  })
  return done("queued: the email is being forwarded")
})
