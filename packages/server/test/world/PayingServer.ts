import { drainJobs } from "@leadloom/testkit/suite/Scene"
import { startServer, type Answer, adminKey, type Call, textAt } from "./TestServer.ts"
import { type SignedEvent, type StripeStandIn, startStripe } from "@leadloom/testkit/stripe/StripeStandIn"
import { expect } from "vitest"
import { onSteadyMonth } from "./SteadyMonth.ts"

/** Returns the variables of a server whose tenants pay at a Stripe stand-in. */
export const stripeEnvironment = (url: string, secretKey: string, webhookSecret: string) => ({
  LEADLOOM_LIMIT_ADMIN: "100000",
  LEADLOOM_STRIPE_API_URL: url,
  LEADLOOM_STRIPE_SECRET_KEY: secretKey,
  LEADLOOM_STRIPE_WEBHOOK_SECRET: `whsec_the_next_one, ${webhookSecret}`,
  LEADLOOM_STRIPE_PRICE_STARTER: "price_s",
  LEADLOOM_STRIPE_PRICE_GROWTH: "price_g, price_g_old",
  LEADLOOM_STRIPE_PRICE_SCALE: "price_x",
  LEADLOOM_STRIPE_PRICE_CREDITS: "price_c",
  LEADLOOM_STRIPE_SUCCESS_URL: "https://acme.example/paid?session={CHECKOUT_SESSION_ID}",
  LEADLOOM_STRIPE_CANCEL_URL: "https://acme.example/plans",
  LEADLOOM_STRIPE_RETURN_URL: "https://acme.example/billing"
})

/** A server whose tenants pay at Stripe, with the tenant `acme`. */
export interface PayingServer {
  readonly call: (method: string, path: string, call?: Call) => Promise<Answer>
  readonly createTenant: (tenantId: string) => Promise<Answer>
  /** Requests a path below `/billing`: GET without a body, otherwise POST; `/portal` has no body. */
  readonly billing: (path: string, call?: Call, tenant?: string) => Promise<Answer>
  readonly status: (tenant?: string) => Promise<unknown>
  /** Sends an event as Stripe. */
  readonly post: (event: SignedEvent) => Promise<Answer>
  /** Runs the jobs that are due. */
  readonly work: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts a server with a Stripe account. */
export const startPaying = async (env: ReturnType<typeof stripeEnvironment>): Promise<PayingServer> => {
  const server = startServer(env, onSteadyMonth)
  const call = (method: string, path: string, more: Call = {}) => server.call(method, path, { as: adminKey, ...more })
  const createTenant = (tenant_id: string) =>
    call("POST", "/api/v1/admin/tenants", { body: { tenant_id, name: tenant_id } })
  const billing = (path: string, more: Call = {}, tenant = "acme") => {
    const method = more.body === undefined && path !== "/portal" ? "GET" : "POST"
    return call(method, `/api/v1/billing${path}?tenant_id=${tenant}`, more)
  }
  await createTenant("acme")
  return {
    call,
    createTenant,
    billing,
    status: async (tenant = "acme") => (await billing("/status", {}, tenant)).json,
    post: ({ body, signature }) =>
      server.call("POST", "/api/v1/webhook/providers/stripe", {
        body,
        headers: { "stripe-signature": signature }
      }),
    work: () => server.run(drainJobs),
    close: server.close
  }
}

/** A paying server with its own stand-in of Stripe. */
export interface StripeServer extends PayingServer {
  readonly stripe: StripeStandIn
  /** Sends a signed event of Stripe, which must be accepted. */
  readonly sendReport: (event: object) => Promise<void>
  /** Sends all pending events and runs the jobs that are due. */
  readonly reportAll: () => Promise<void>
  /** Buys and pays something for a tenant. Returns the id at the stand-in. */
  readonly buy: (body: object, tenant?: string) => Promise<string>
}

/** Starts both. */
export const startStripeServer = async (): Promise<StripeServer> => {
  const stripe = await startStripe()
  const server = await startPaying(stripeEnvironment(stripe.url, stripe.secretKey, stripe.webhookSecret))
  const sendReport = async (event: object): Promise<void> => {
    const answer = await server.post(stripe.signed(event))
    expect([answer.status, answer.text]).toEqual([200, ""])
  }
  return {
    ...server,
    stripe,
    sendReport,
    reportAll: async () => {
      for (const event of stripe.world.events.splice(0)) await sendReport(event)
      await server.work()
    },
    buy: async (body, tenant = "acme") => {
      const page = await server.billing("/checkout", { body }, tenant)
      expect(page.status).toBe(201)
      return stripe.world.pay(textAt(page.json, "checkout_id"))
    },
    close: async () => {
      await server.close()
      await stripe.close()
    }
  }
}
