/** The API version of the stand-in's events. */
export const standInVersion = "2026-10-28.endive"

/** Fields of a form, flat: `line_items[0][price]`. */
export type Form = Readonly<Record<string, string>>

type Words = Readonly<Record<string, string>>

export interface StandInSubscription {
  readonly id: string
  readonly customer: string
  readonly status: string
  readonly created: number
  readonly cancel_at_period_end: boolean
  readonly trial_end: number | null
  readonly price: string
  readonly period: readonly [start: number, end: number]
  readonly invoicedAt: number
  /** The creation times of earlier unpaid invoices. */
  readonly unpaidAt: ReadonlyArray<number>
  readonly metadata: Words
}

export interface StandInCheckout {
  readonly id: string
  readonly form: Form
  readonly status: "open" | "complete"
  readonly payment_status: "unpaid" | "paid"
  readonly subscription: string | null
}

export interface StandInCharge {
  readonly id: string
  readonly customer: string
  readonly amount: number
  readonly amount_refunded: number
  readonly metadata: Words
}

/** A price of a product. */
export interface StandInPrice {
  readonly active: boolean
  readonly type: "recurring" | "one_time"
}

/** A registered receiver of events. */
export interface StandInEndpoint {
  readonly url: string
  readonly status: "enabled" | "disabled"
  readonly enabled_events: ReadonlyArray<string>
  readonly api_version: string | null
}

/** An event in the form that receivers get. */
export interface StandInEvent {
  readonly id: string
  readonly object: "event"
  readonly type: string
  readonly api_version: string
  readonly created: number
  readonly livemode: false
  readonly data: { readonly object: object; readonly previous_attributes?: object }
}

const month = 30 * 86_400

/** Returns the fields of a form below a name: `metadata[tenant_id]=acme`. */
export const wordsOf = (form: Form, name: string): Words =>
  Object.fromEntries(
    Object.entries(form).flatMap(([key, value]) =>
      key.startsWith(`${name}[`) && key.endsWith("]") ? [[key.slice(name.length + 1, -1), value]] : []
    )
  )

/** The objects of the Stripe stand-in and their history. Times are in seconds. */
export class StripeWorld {
  readonly customers = new Map<string, { readonly deleted: boolean; readonly metadata: Words }>()
  readonly subscriptions = new Map<string, StandInSubscription>()
  readonly checkouts = new Map<string, StandInCheckout>()
  readonly charges = new Map<string, StandInCharge>()
  readonly prices = new Map<string, StandInPrice>()
  readonly endpoints: Array<StandInEndpoint> = []
  /** True if the portal settings have been saved. */
  portalSaved = true
  /** In order of occurrence. */
  readonly events: Array<StandInEvent> = []
  readonly url: () => string
  /** Seconds since the epoch. */
  readonly now: () => number
  #made = 0

  constructor(url: () => string, now: () => number) {
    this.url = url
    this.now = now
  }

  id(prefix: string): string {
    this.#made += 1
    return `${prefix}_${String(this.#made).padStart(6, "0")}`
  }

  report(type: string, object: object, previous?: object): void {
    const data = previous === undefined ? { object } : { object, previous_attributes: previous }
    const id = this.id("evt")
    const created = this.now()
    this.events.push({ id, object: "event", type, api_version: standInVersion, created, livemode: false, data })
  }

  subscriptionJson({ invoicedAt, period: [start, end], price, unpaidAt: _, ...said }: StandInSubscription): object {
    const item = { id: `si_${said.id}`, object: "subscription_item", price: { id: price, object: "price" } }
    const data = [{ ...item, quantity: 1, current_period_start: start, current_period_end: end }]
    const invoice = { id: `in_${said.id}`, object: "invoice", created: invoicedAt }
    return {
      ...said,
      object: "subscription",
      items: { object: "list", data },
      latest_invoice: invoice,
      cancel_at: null
    }
  }

  checkoutJson({ form, id, ...said }: StandInCheckout): object {
    const open = said.status === "open"
    return {
      ...said,
      id,
      object: "checkout.session",
      mode: form["mode"],
      customer: form["customer"] ?? null,
      client_reference_id: form["client_reference_id"] ?? null,
      metadata: wordsOf(form, "metadata"),
      url: open ? `${this.url()}/pay/${id}` : null,
      expires_at: 1_795_306_400
    }
  }

  /** Creates a subscription of a customer and emits an event. */
  subscribe(customer: string, price: string, changes: Partial<StandInSubscription> = {}): StandInSubscription {
    const now = this.now()
    const period = [now, now + month] as const
    const subscription: StandInSubscription = {
      id: this.id("sub"),
      customer,
      status: "active",
      created: now,
      cancel_at_period_end: false,
      trial_end: null,
      price,
      period,
      invoicedAt: now,
      unpaidAt: [],
      metadata: {},
      ...changes
    }
    this.subscriptions.set(subscription.id, subscription)
    this.report("customer.subscription.created", this.subscriptionJson(subscription))
    return subscription
  }

  /** Changes a subscription and emits an event. */
  change(id: string, changes: Partial<StandInSubscription>): void {
    const former = this.subscriptions.get(id)
    if (former === undefined) throw new Error(`there is no subscription ${id}`)
    const subscription = { ...former, ...changes }
    this.subscriptions.set(id, subscription)
    const type = subscription.status === "canceled" ? "deleted" : "updated"
    this.report(`customer.subscription.${type}`, this.subscriptionJson(subscription))
  }

  /** Completes a checkout. Returns the charge of a one-time purchase, or the subscription. */
  pay(checkoutId: string): string {
    const open = this.checkouts.get(checkoutId)
    if (open?.status !== "open") throw new Error(`${checkoutId} cannot be paid`)
    const { form } = open
    const customer = form["customer"] ?? ""
    const isPlan = form["mode"] === "subscription"
    const amount = Number(form["line_items[0][quantity]"]) * 2
    const metadata = wordsOf(form, "payment_intent_data[metadata]")
    const charge = { id: this.id("ch"), customer, amount, amount_refunded: 0, metadata }
    const subscription = isPlan
      ? this.subscribe(customer, form["line_items[0][price]"] ?? "", {
          metadata: wordsOf(form, "subscription_data[metadata]")
        }).id
      : null
    if (!isPlan) this.charges.set(charge.id, charge)
    const done = { ...open, status: "complete", payment_status: "paid", subscription } as const
    this.checkouts.set(checkoutId, done)
    this.report("checkout.session.completed", this.checkoutJson(done))
    return subscription ?? charge.id
  }

  /** Refunds part of a charge. */
  refund(chargeId: string, amount: number): void {
    const former = this.charges.get(chargeId)
    if (former === undefined) throw new Error(`there is no charge ${chargeId}`)
    const charge = { ...former, amount_refunded: Math.min(former.amount, former.amount_refunded + amount) }
    this.charges.set(chargeId, charge)
    this.report("charge.refunded", { ...charge, object: "charge" }, { amount_refunded: former.amount_refunded })
  }
}
