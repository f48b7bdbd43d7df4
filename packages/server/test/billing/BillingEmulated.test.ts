import type { SignedEvent } from "@leadloom/testkit/stripe/StripeStandIn"
import { createEmulator } from "emulate"
import { createServer } from "node:http"
import { describe, expect, it } from "vitest"
import { startPaying, stripeEnvironment } from "../world/PayingServer.ts"
import { at, textAt } from "../world/TestServer.ts"

describe("a third-party emulator of Stripe", () => {
  it("sells credits on its page, and its signed event books them", async () => {
    const secret = "whsec_of_the_emulator"
    const event = Promise.withResolvers<SignedEvent>()
    const receiver = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => void chunks.push(chunk))
      request.on("end", () => {
        const signature = String(request.headers["stripe-signature"])
        event.resolve({ body: Buffer.concat(chunks).toString(), signature })
        response.end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
    const address = receiver.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const emulator = await createEmulator({
      service: "stripe",
      port: 0,
      seed: {
        stripe: {
          products: [{ name: "Credit" }],
          prices: [{ id: "price_c", product_name: "Credit", currency: "usd", unit_amount: 2 }],
          webhooks: [{ url: `http://127.0.0.1:${port}/`, events: ["checkout.session.completed"], secret }]
        }
      }
    })
    const server = await startPaying(stripeEnvironment(emulator.url, "sk_test_of_the_emulator", secret))
    const page = await server.billing("/checkout", { body: { credits: 40 } })
    expect(page.status).toBe(201)
    const url = textAt(page.json, "url")
    expect(await (await fetch(url)).text()).toContain("form")
    const paid = await fetch(`${url}/complete`, { method: "POST", redirect: "manual" })
    expect(paid.headers.get("location")).toBe(`https://acme.example/paid?session=${textAt(page.json, "checkout_id")}`)
    expect((await server.post(await event.promise)).status).toBe(200)
    await server.work()
    expect(at(await server.status(), "credits")).toBe(40)
    await server.close()
    await emulator.close()
    await new Promise<void>((resolve) => void receiver.close(() => resolve()))
  })
})
