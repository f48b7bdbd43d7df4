import type { Effect } from "effect"
import { Context } from "effect"
import type { WebhookCall } from "../../../domain/rule/action/WebhookCall.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** One claim of a call. If a later claim exists, calls of functions with the earlier one change nothing. */
export type HeldCall = Pick<WebhookCall, "tenantId" | "callId" | "attempts">

/** The calls of webhooks that rules have requested and that have not ended. */
export class WebhookCalls extends Context.Service<
  WebhookCalls,
  {
    /** Stores a call for the workers. An existing call with the same id does not change. */
    readonly put: (call: WebhookCall) => Effect.Effect<void, StoreUnavailable>
    /** Deletes an ended call. Returns false when another worker has claimed it, or when it no longer exists. */
    readonly finish: (held: HeldCall) => Effect.Effect<boolean, StoreUnavailable>
    /** Returns a call to the queue, due at `dueAt`. Returns false when another worker has claimed it. */
    readonly release: (held: HeldCall, dueAt: number, tries: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Claims up to `limit` due calls until `leaseUntil`, as in `Sends.claim`. */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number
    ) => Effect.Effect<ReadonlyArray<WebhookCall>, StoreUnavailable>
    /** Waits until calls may be due, as in `Signals.wait`. */
    readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
  }
>()("core/port/repository/webhook/WebhookCalls") {}
