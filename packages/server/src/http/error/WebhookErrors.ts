import { BadRequest, Conflict, NotFound } from "@leadloom/api/errors"
import type { DeliveryNotFound } from "@leadloom/core/domain/webhook/Delivery"
import type {
  SubscriptionInvalid,
  SubscriptionLimitReached,
  SubscriptionNotFound
} from "@leadloom/core/domain/webhook/Subscription"

/** Errors about webhooks, in the words of the wire. */
export const webhookErrors = {
  SubscriptionNotFound: ({ webhookId }: SubscriptionNotFound) =>
    NotFound.of(`There is no webhook subscription ${webhookId}.`),
  SubscriptionLimitReached: ({ limit }: SubscriptionLimitReached) =>
    Conflict.of(`The tenant has ${limit} webhook subscriptions, which is as many as it may. Delete one.`),
  SubscriptionInvalid: ({ issues }: SubscriptionInvalid) =>
    BadRequest.of("The request has a field that does not do.", issues),
  DeliveryNotFound: ({ deliveryId }: DeliveryNotFound) =>
    NotFound.of(`There is no delivery ${deliveryId} of this subscription, or its event is kept no longer.`)
} as const
