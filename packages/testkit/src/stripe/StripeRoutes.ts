import { type Form, type StripeWorld, wordsOf } from "./StripeWorld.ts"

/** A response of the stand-in. */
export interface StandInReply {
  readonly status: number
  readonly json: object
}

const yes = (json: object): StandInReply => ({ status: 200, json })

const no = (status: number, code: string, message: string, param?: string): StandInReply => ({
  status,
  json: { error: { type: "invalid_request_error", code, message, ...(param === undefined ? {} : { param }) } }
})

const missing = (what: string, id: string, param: string, status = 400): StandInReply =>
  no(status, "resource_missing", `No such ${what}: '${id}'`, param)

type Route = (world: StripeWorld, form: Form, id: string) => StandInReply

const createCustomer: Route = (world, form) => {
  const id = world.id("cus")
  world.customers.set(id, { deleted: false, metadata: wordsOf(form, "metadata") })
  return yes({ id, object: "customer", name: form["name"] ?? null })
}

const readCustomer: Route = ({ customers }, _, id) => {
  const customer = customers.get(id)
  if (customer === undefined) return missing("customer", id, "id", 404)
  return yes({ id, object: "customer", ...(customer.deleted ? { deleted: true } : {}) })
}

const isThere = ({ customers }: StripeWorld, id: string): boolean => customers.get(id)?.deleted === false

const startCheckout: Route = (world, form) => {
  const customer = form["customer"] ?? ""
  if (!isThere(world, customer)) return missing("customer", customer, "customer")
  const id = world.id("cs")
  const checkout = { id, form, status: "open", payment_status: "unpaid", subscription: null } as const
  world.checkouts.set(id, checkout)
  return yes(world.checkoutJson(checkout))
}

const readCheckout: Route = (world, _, id) => {
  const checkout = world.checkouts.get(id)
  return checkout === undefined ? missing("checkout.session", id, "session", 404) : yes(world.checkoutJson(checkout))
}

const openPortal: Route = (world, form) => {
  const customer = form["customer"] ?? ""
  if (!isThere(world, customer)) return missing("customer", customer, "customer")
  const id = world.id("bps")
  return yes({ id, object: "billing_portal.session", customer, url: `${world.url()}/portal/${id}` })
}

const listSubscriptions: Route = (world, form) => {
  const customer = form["customer"] ?? ""
  if (!world.customers.has(customer)) return missing("customer", customer, "customer")
  const all = [...world.subscriptions.values()].filter((each) => each.customer === customer).toReversed()
  return yes({
    object: "list",
    url: "/v1/subscriptions",
    has_more: false,
    data: all.map((each) => world.subscriptionJson(each))
  })
}

const changeSubscription: Route = (world, form, id) => {
  const former = world.subscriptions.get(id)
  if (former === undefined) return missing("subscription", id, "id", 404)
  const item = form["items[0][id]"]
  if (item !== undefined && item !== `si_${id}`) return missing("subscription item", item, "items[0][id]")
  const ends = form["trial_end"] === "now" && former.status === "trialing"
  world.change(id, {
    price: form["items[0][price]"] ?? former.price,
    cancel_at_period_end: form["cancel_at_period_end"] === "true",
    ...(ends ? { status: "active", trial_end: null } : {})
  })
  return yes(world.subscriptionJson(world.subscriptions.get(id) ?? former))
}

const cancelSubscription: Route = (world, _, id) => {
  const former = world.subscriptions.get(id)
  if (former === undefined || former.status === "canceled") return missing("subscription", id, "id", 404)
  world.change(id, { status: "canceled" })
  return yes(world.subscriptionJson(world.subscriptions.get(id) ?? former))
}

const createPrice: Route = (world, form) => {
  const id = world.id("price")
  const price = { active: true, type: form["recurring[interval]"] === undefined ? "one_time" : "recurring" } as const
  world.prices.set(id, price)
  return yes({ id, object: "price", ...price })
}

const createEndpoint: Route = (world, form) => {
  const events = Object.entries(form).filter(([name]) => name.startsWith("enabled_events["))
  const endpoint = {
    url: form["url"] ?? "",
    status: "enabled",
    enabled_events: events.map(([, event]) => event),
    api_version: form["api_version"] ?? null
  } as const
  world.endpoints.push(endpoint)
  return yes({ id: world.id("we"), object: "webhook_endpoint", ...endpoint, secret: `whsec_${world.id("made")}` })
}

const list = (url: string, data: ReadonlyArray<object>): StandInReply =>
  yes({ object: "list", url, has_more: false, data })

/** Newest first, like all lists of Stripe. */
const listInvoices: Route = ({ subscriptions }, form) => {
  const id = form["subscription"] ?? ""
  const found = subscriptions.get(id)
  if (found === undefined) return missing("subscription", id, "subscription")
  const open = found.status === "past_due" ? [found.invoicedAt, ...found.unpaidAt] : []
  return list(
    "/v1/invoices",
    open.map((created, index) => ({ id: `in_${id}_${index}`, object: "invoice", status: "open", created }))
  )
}

const readPrice: Route = ({ prices }, _, id) => {
  const price = prices.get(id)
  return price === undefined ? missing("price", id, "price", 404) : yes({ id, object: "price", ...price })
}

const listPrices: Route = ({ prices }) =>
  list(
    "/v1/prices",
    [...prices].map(([id, price]) => ({ id, object: "price", ...price }))
  )

const listEndpoints: Route = ({ endpoints }) =>
  list(
    "/v1/webhook_endpoints",
    endpoints.map((endpoint) => ({ object: "webhook_endpoint", ...endpoint }))
  )

const listPortals: Route = ({ portalSaved }) =>
  list(
    "/v1/billing_portal/configurations",
    portalSaved ? [{ id: "bpc_1", object: "billing_portal.configuration", is_default: true }] : []
  )

const routes: ReadonlyArray<readonly [method: string, path: RegExp, route: Route]> = [
  ["POST", /^\/v1\/customers$/u, createCustomer],
  ["GET", /^\/v1\/customers\/(?<id>[^/]+)$/u, readCustomer],
  ["POST", /^\/v1\/checkout\/sessions$/u, startCheckout],
  ["GET", /^\/v1\/checkout\/sessions\/(?<id>[^/]+)$/u, readCheckout],
  ["POST", /^\/v1\/billing_portal\/sessions$/u, openPortal],
  ["GET", /^\/v1\/billing_portal\/configurations$/u, listPortals],
  ["GET", /^\/v1\/prices$/u, listPrices],
  ["POST", /^\/v1\/prices$/u, createPrice],
  ["GET", /^\/v1\/prices\/(?<id>[^/]+)$/u, readPrice],
  ["GET", /^\/v1\/webhook_endpoints$/u, listEndpoints],
  ["POST", /^\/v1\/webhook_endpoints$/u, createEndpoint],
  ["GET", /^\/v1\/subscriptions$/u, listSubscriptions],
  ["GET", /^\/v1\/invoices$/u, listInvoices],
  ["POST", /^\/v1\/subscriptions\/(?<id>[^/]+)$/u, changeSubscription],
  ["DELETE", /^\/v1\/subscriptions\/(?<id>[^/]+)$/u, cancelSubscription]
]

/** Carries out a request. */
export const reply = (world: StripeWorld, method: string, path: string, form: Form): StandInReply => {
  for (const [known, pattern, route] of routes) {
    const match = known === method ? pattern.exec(path) : null
    if (match !== null) return route(world, form, match.groups?.["id"] ?? "")
  }
  return no(404, "unrecognized_url", `Unrecognized request URL (${method}: ${path}).`)
}
