/** The texts of the pages that only the operator sees. */
export const operatorText = {
  server: {
    title: "Server",
    check: "Check again",
    health: "Health",
    state: "State",
    states: { ok: "Ready" },
    version: "Version"
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
