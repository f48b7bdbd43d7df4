import { Context } from "effect"
import type { DeliveryMode } from "./Schedule.ts"

/** How this deployment delivers outbound events. */
export class DeliveryPolicy extends Context.Service<DeliveryPolicy, { readonly mode: DeliveryMode }>()(
  "core/domain/webhook/DeliveryPolicy"
) {}
