import { Webhook as StandardWebhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { describe, expect, it } from "vitest"
import type { OutboundEvent } from "../../src/webhook/Event.ts"
import { exampleData } from "../../src/webhook/ExampleData.ts"
import { deliveryHeaders } from "../../src/webhook/DeliveryRequest.ts"
import { parcelOf } from "../../src/webhook/Parcels.ts"
import { mintSigningSecret } from "../../src/webhook/Signing.ts"
import { never, type Subscription } from "../../src/webhook/Subscription.ts"

const secretOf = (seed: number): string =>
  mintSigningSecret((length) => Uint8Array.from({ length }, (_, index) => (seed * 31 + index * 7) % 256))

const subscription: Subscription = {
  tenantId: "acme",
  webhookId: "whk_00000000000000000000000000",
  url: "https://hooks.customer.com/leadloom",
  description: null,
  eventTypes: [],
  maxInFlight: 1,
  status: "active",
  inactiveReason: null,
  secret: secretOf(2),
  formerSecret: secretOf(1),
  formerSecretUntil: never,
  consecutiveFailures: 0,
  ailing: false,
  position: 0,
  retryAt: never,
  nextAt: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
  createdAt: 0,
  updatedAt: 0
}

const event: OutboundEvent = {
  eventId: "evt_00000000000000000000000000",
  type: "lead.received",
  tenantId: "acme",
  timestamp: 1_767_225_600_000,
  data: { ...exampleData["lead.received"], subject: "Dachstuhl für Zoë – 屋根" }
}

const parcel = parcelOf({ sequence: 7, event })
// These packages look at the clock of the machine.
const headers = { ...deliveryHeaders(subscription, parcel, Date.now()) }

describe.each([
  ["standardwebhooks", (secret: string) => new StandardWebhook(secret)],
  ["svix", (secret: string) => new SvixWebhook(secret)]
])("the receivers' package %s", (_, receiver) => {
  it("takes a delivery for genuine under the secret, and under the former one while both sign", () => {
    expect(() => receiver(subscription.secret).verify(parcel.body, headers)).not.toThrow()
    expect(() => receiver(secretOf(1)).verify(parcel.body, headers)).not.toThrow()
  })

  it("refuses another secret, another body and another id", () => {
    expect(() => receiver(secretOf(3)).verify(parcel.body, headers)).toThrow(/signature/u)
    expect(() => receiver(subscription.secret).verify(`${parcel.body} `, headers)).toThrow(/signature/u)
    expect(() => receiver(subscription.secret).verify(parcel.body, { ...headers, "webhook-id": "evt_2" })).toThrow(
      /signature/u
    )
  })
})
