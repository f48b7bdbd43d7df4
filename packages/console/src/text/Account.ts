import { count } from "./Count.ts"

const number = new Intl.NumberFormat("en")

/** The texts of the settings of the form and of billing. */
export const accountText = {
  form: {
    title: "Form",
    settings: "Settings of the form",
    state: "State",
    states: { on: "Accepts submissions", off: "Off" },
    origins: "Websites",
    originsHint: "The origins of the pages with the form, one per line, for example https://www.acme.com",
    fields: "Additional fields",
    fieldsHint: "One name per line. Without additional fields, all submitted fields are stored.",
    thanks: "Page after the submission",
    verification: "Verification",
    verifications: { none: "None", proof_of_work: "Proof of work", turnstile: "Turnstile" },
    preview: "Preview",
    html: "HTML",
    htmlLabel: "Copy this into your website",
    htmlHint: "A verification also needs the script in examples/public-form.",
    visitor: { name: "Name", email: "Email", phone: "Phone", message: "Message", send: "Send" }
  },
  billing: {
    title: "Billing",
    plan: "Plan",
    plans: { trial: "Trial", starter: "Starter", growth: "Growth", scale: "Scale" },
    paidPlans: { starter: "Starter", growth: "Growth", scale: "Scale" },
    activate: "Activate plan",
    activateNote: "Ends the trial, changes the plan or withdraws the cancellation. A plan may need a payment first.",
    buy: "Buy credits",
    portal: "Invoices and card",
    leaveNote: "You continue on a page of the payment provider.",
    state: "State",
    states: {
      trialing: "Trial",
      active: "Active",
      past_due: "Payment is late",
      unpaid: "Unpaid",
      paused: "Paused",
      canceled: "Canceled",
      incomplete: "First payment is missing",
      incomplete_expired: "First payment was never made"
    },
    trialEnds: "Trial ends",
    periodEnds: "Paid until",
    graceEnds: "Plan ends without payment",
    credits: "Credits",
    usage: "Usage in this month",
    actions: "Actions",
    modelCalls: "Model calls",
    used: (label: string, used: number, cap: number) => `${label}: ${number.format(used)} of ${number.format(cap)}`,
    tokens: (input: number, output: number) =>
      `The model read ${count(input, "token", "tokens")} and wrote ${count(output, "token", "tokens")}.`,
    transactions: "Credit transactions",
    noTransactions: "No transactions.",
    time: "Time",
    kind: "Cause",
    kinds: {
      grant: "Grant",
      purchase: "Purchase",
      use: "Use",
      refund: "Refund",
      adjustment: "Adjustment",
      expire: "Expiry"
    },
    amount: "Credits",
    balance: "Balance",
    note: "Note"
  }
} as const
