import type { StandInEvent } from "@leadloom/testkit/stripe/StripeWorld"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type StripeServer, startStripeServer } from "../world/PayingServer.ts"
import { at } from "../world/TestServer.ts"

let scene: StripeServer

beforeEach(async () => {
  scene = await startStripeServer()
})
afterEach(() => scene.close())

/** Events in the life of a paying tenant. */
const happening = fc.oneof(
  fc.record({ credits: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ back: fc.integer({ min: 1, max: 60 }), of: fc.nat() }),
  fc.record({
    status: fc.constantFrom("active", "past_due", "unpaid", "canceled", "trialing"),
    price: fc.constantFrom("price_s", "price_g", "price_g_old", "price_x", "price_unknown"),
    of: fc.nat()
  }),
  fc.record({ subscribe: fc.constantFrom("price_s", "price_g", "price_x") })
)

type Happening = typeof happening extends fc.Arbitrary<infer A> ? A : never

const pick = <A>(all: ReadonlyArray<A>, number: number): A | undefined => all[number % Math.max(1, all.length)]

/** Applies an event to a customer. */
const happen = async (tenant: string, customer: string, one: Happening): Promise<void> => {
  const { charges, subscriptions } = scene.stripe.world
  if ("credits" in one) return void (await scene.buy({ credits: one.credits }, tenant))
  if ("subscribe" in one) return void scene.stripe.world.subscribe(customer, one.subscribe)
  if ("back" in one) {
    const charge = pick(
      [...charges.values()].filter((each) => each.customer === customer),
      one.of
    )
    if (charge !== undefined) scene.stripe.world.refund(charge.id, one.back)
    return
  }
  const subscription = pick(
    [...subscriptions.values()].filter((each) => each.customer === customer),
    one.of
  )
  if (subscription === undefined || subscription.status === "canceled") return
  scene.stripe.world.change(subscription.id, { status: one.status, price: one.price })
}

/** Returns the final state of a tenant, without values that depend on order or identity. */
const billingState = async (tenant: string): Promise<unknown> => {
  const lines = await scene.call("GET", `/api/v1/billing/credits/transactions?tenant_id=${tenant}&limit=100`)
  const transactions = at(lines.json, "transactions")
  const booked = (Array.isArray(transactions) ? transactions : []).map(
    (line: unknown) => `${String(at(line, "reference"))} ${String(at(line, "kind"))} ${String(at(line, "amount"))}`
  )
  return { status: await scene.status(tenant), booked: booked.toSorted() }
}

describe("a history of payments", () => {
  it("has the same result in any order, with repetitions and with reads in between", async () => {
    let run = 0
    const histories = fc.array(happening, { minLength: 1, maxLength: 8 }).chain((happenings) =>
      fc.record({
        happenings: fc.constant(happenings),
        seed: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
        work: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 })
      })
    )
    await fc.assert(
      fc.asyncProperty(histories, async ({ happenings, seed, work: pauses }) => {
        const tenant = `t${++run}`
        await scene.createTenant(tenant)
        const customer = await customerOf(tenant)
        const sentEvents: Array<StandInEvent> = []
        const shuffled = (events: ReadonlyArray<StandInEvent>) =>
          events
            .map((event, index) => ({ event, place: seed[index % seed.length] ?? 0 }))
            .toSorted((one, other) => one.place - other.place)
            .map(({ event }) => event)
        for (const [index, one] of happenings.entries()) {
          await happen(tenant, customer, one)
          sentEvents.push(...scene.stripe.world.events.splice(0))
          // Some reports arrive while more events happen.
          const early = pick(sentEvents, seed[index] ?? 0)
          if (pauses[index] === true && early !== undefined) await scene.sendReport(early)
          if (pauses[index + 10] === true) await scene.work()
        }
        for (const [index, event] of shuffled([...sentEvents, ...sentEvents]).entries()) {
          await scene.sendReport(event)
          if (pauses[index % pauses.length] === true) await scene.work()
        }
        await scene.work()
        const once = await billingState(tenant)
        for (const event of sentEvents.toReversed()) await scene.sendReport(event)
        await scene.work()
        expect(await billingState(tenant)).toEqual(once)
        expect(at(once, "status", "credits")).toBe(creditsLeft(customer))
        expect(at(once, "status", "plan")).toBe(planPaid(customer))
      }),
      { numRuns: 25 }
    )
  })
})

const customerOf = async (tenant: string): Promise<string> => {
  await scene.billing("/checkout", { body: { credits: 1 } }, tenant)
  return [...scene.stripe.world.customers].find(([, { metadata }]) => metadata["tenant_id"] === tenant)?.[0] ?? ""
}

/** Returns the credits according to the stand-in: purchases minus refunds. */
const creditsLeft = (customer: string): number =>
  [...scene.stripe.world.charges.values()]
    .filter((charge) => charge.customer === customer)
    .map(({ amount, amount_refunded, metadata }) => {
      const credits = Number(metadata["credits"])
      return credits - Math.floor((credits * amount_refunded) / amount)
    })
    .reduce((sum, each) => sum + each, 0)

const planOf: Readonly<Record<string, string>> = {
  price_s: "starter",
  price_g: "growth",
  price_g_old: "growth",
  price_x: "scale"
}

/** Returns the plan according to the stand-in: that of the newest active subscription. */
const planPaid = (customer: string): string => {
  const own = [...scene.stripe.world.subscriptions.values()].filter((each) => each.customer === customer)
  const running = own.filter(({ status: word }) => ["active", "trialing", "past_due"].includes(word))
  const newest = Math.max(...running.map(({ created }) => created))
  const first = running.find(({ created }) => created === newest)
  return planOf[first?.price ?? ""] ?? "trial"
}
