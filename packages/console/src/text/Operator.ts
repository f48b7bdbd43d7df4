/** The texts of the pages that only the operator sees. */
export const operatorText = {
  server: {
    title: "Server",
    check: "Check again",
    health: "Health",
    state: "State",
    states: { ok: "Ready" },
    version: "Version",
    doctor: "Doctor",
    doctorNote:
      "Checks configuration, database, clock, disk and providers. It takes a few seconds and changes nothing.",
    examine: "Run the doctor",
    findings: "Findings of the doctor",
    summary: (problems: number, warnings: number) => `Problems: ${problems}, warnings: ${warnings}`,
    levels: { problem: "Problem", warning: "Warning", ok: "Fine" },
    advice: (step: string) => `Next step: ${step}`
  },
  queues: {
    title: "Queues",
    refresh: "Read again",
    queue: "Queue",
    names: {
      signals: "Pipeline",
      sends: "Sending",
      jobs: "Providers",
      events: "Webhooks",
      webhook_calls: "Calls of rules"
    },
    due: "Due",
    oldest: "Oldest",
    failed: "Failed in a day",
    jobs: "Work at providers by kind",
    noJobs: "No jobs are waiting.",
    kind: "Kind",
    waiting: "Waiting",
    retried: "Retried after a failure",
    created: "Oldest created"
  },
  providers: {
    title: "Providers",
    refresh: "Read again",
    note: "The requests of the server that answers this page, since its start.",
    service: "Service",
    names: {
      payments: "Payments",
      crm: "CRM",
      mail: "Email",
      sms: "Text messages",
      voice: "Calls",
      model: "Language model"
    },
    state: "State",
    states: {
      not_configured: "Not configured",
      unused: "No request yet",
      answering: "Answers",
      failing: "Fails",
      paused: "Paused"
    },
    until: (time: string) => `until ${time}`,
    failures: "Failures in a row",
    answered: "Last answer",
    failed: "Last failure"
  },
  sources: {
    title: "Event sources",
    empty: "No sources for all tenants. A source sends custom events to the pipeline.",
    create: "Add source",
    createNote: "The key of the source is valid for every tenant.",
    removeNote: (id: string) => `Events of ${id} are rejected immediately. This cannot be undone.`,
    id: "Id",
    prefix: "Begins with",
    created: "Created"
  },
  numbers: {
    title: "Phone numbers",
    empty: "No phone numbers. A tenant needs a number to receive and send texts.",
    assign: "Assign number",
    assignNote: "Texts and calls to the number go to this tenant from now on.",
    release: "Release",
    releaseNote: (phone: string) => `${phone} receives and sends nothing until it is assigned again. Messages stay.`,
    phone: "Phone number",
    tenant: "Tenant",
    isDefault: "Default sender",
    choices: { no: "No", yes: "Yes" },
    created: "Assigned"
  },
  audit: { title: "Deployment audit", tenant: "Tenant" }
} as const
