import { BadRequest, Conflict, NotFound } from "@leadloom/api/internal/errors"
import type { DeliveryNotFound } from "@leadloom/core/internal/domain/webhook/Delivery"
import type {
  SubscriptionInvalid,
  SubscriptionLimitReached,
  SubscriptionNotFound
} from "@leadloom/core/internal/domain/webhook/Subscription"

/** Maps errors about webhooks to wire errors. */
export const webhookErrors = {
  SubscriptionNotFound: ({ webhookId }: SubscriptionNotFound) =>
    NotFound.of(`There is no webhook subscription ${webhookId}.`),
  SubscriptionLimitReached: ({ limit }: SubscriptionLimitReached) =>
    Conflict.of(`The tenant has the maximum of ${limit} webhook subscriptions. Delete one first.`),
  SubscriptionInvalid: ({ issues }: SubscriptionInvalid) =>
    BadRequest.of("The request contains an invalid field.", issues),
  DeliveryNotFound: ({ deliveryId }: DeliveryNotFound) =>
    NotFound.of(`There is no delivery ${deliveryId} of this subscription, or the retention of its event has ended.`)
} as const
