import { Webhook as StandardWebhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { describe, expect, it } from "vitest"
import type { OutboundEvent } from "../../../src/domain/webhook/Event.ts"
import { exampleData } from "../../../src/domain/webhook/ExampleData.ts"
import { deliveryHeaders } from "../../../src/workflow/webhook/DeliveryRequest.ts"
import { encodeEvent } from "../../../src/workflow/webhook/EncodedEvents.ts"
import { makeSigner, mintSigningSecret } from "../../../src/workflow/webhook/SignWebhook.ts"

const secretOf = (seed: number): string =>
  mintSigningSecret((length) => Uint8Array.from({ length }, (_, index) => (seed * 31 + index * 7) % 256))

const event: OutboundEvent = {
  eventId: "evt_00000000000000000000000000",
  type: "lead.received",
  tenantId: "acme",
  timestamp: 1_767_225_600_000,
  data: { ...exampleData["lead.received"], subject: "Dachstuhl für Zoë – 屋根" }
}

const encoded = encodeEvent({ sequence: 7, event })
const body = Buffer.from(encoded.body).toString("utf8")
// Both packages compare the timestamp with the system clock.
const signers = [makeSigner(secretOf(2)), makeSigner(secretOf(1))] as const
const headers = { ...deliveryHeaders("whk_00000000000000000000000000", signers, encoded, Date.now()) }

describe.each([
  ["standardwebhooks", (secret: string) => new StandardWebhook(secret)],
  ["svix", (secret: string) => new SvixWebhook(secret)]
])("the receivers' package %s", (_, receiver) => {
  it("verifies a delivery with the current secret, and with the former one while both sign", () => {
    expect(() => receiver(secretOf(2)).verify(body, headers)).not.toThrow()
    expect(() => receiver(secretOf(1)).verify(body, headers)).not.toThrow()
  })

  it("rejects a wrong secret, a changed body and a changed id", () => {
    expect(() => receiver(secretOf(3)).verify(body, headers)).toThrow(/signature/u)
    expect(() => receiver(secretOf(2)).verify(`${body} `, headers)).toThrow(/signature/u)
    expect(() => receiver(secretOf(2)).verify(body, { ...headers, "webhook-id": "evt_2" })).toThrow(/signature/u)
  })
})
