/** The texts of the settings that limit and prepare the work of the assistant. */
export const policyText = {
  guardrails: {
    title: "Guardrails",
    empty: "No guardrails. A guardrail holds replies of the assistant that a person must see first.",
    create: "Add guardrail",
    exists: (name: string) => `A guardrail with the name ${name} exists already.`,
    enable: "Enable",
    enableNote: "The next reply is checked again.",
    disable: "Disable",
    disableNote: "Replies are no longer held for this reason.",
    name: "Name",
    kind: "Kind",
    kinds: {
      blocked_phrases: "Phrases in the reply",
      blocked_intents: "Intents of the message",
      quiet_hours: "Quiet hours",
      max_replies_per_contact_per_day: "Replies per contact and day",
      min_confidence: "Lowest confidence",
      require_approval_for_tiers: "Tiers",
      no_links: "Web addresses",
      no_prices: "Amounts of money"
    },
    limit: "Limit",
    linesHint: "One per line.",
    phrases: "Phrases",
    intents: "Intents",
    from: "From",
    to: "Until",
    max: "Replies in 24 hours, 0 to 100",
    min: "Confidence, 0 to 1",
    tiers: "Tiers that need approval",
    tierChoices: { hot: "Hot", "hot,warm": "Hot and warm", "hot,warm,cold": "All" },
    outcome: "If it applies",
    outcomes: { require_approval: "A person approves the reply", block: "No reply is written" },
    state: "State",
    enabled: "Enabled",
    disabled: "Disabled",
    held: "Held in 30 days"
  },
  blockedNumbers: {
    title: "Blocked numbers",
    empty: "No blocked numbers. A contact who opts out of texts needs no entry: its consent is in the contact.",
    block: "Block number",
    blockNote: "Messages of the number receive no reply, and nothing is sent to it.",
    unblock: "Unblock",
    unblockNote: (phone: string) => `${phone} can receive messages again, unless the contact has opted out.`,
    phone: "Phone number",
    since: "Blocked since"
  },
  optOuts: {
    title: "Opt-outs",
    empty: "No opt-outs. An address or number that has opted out receives no messages or calls.",
    record: "Record opt-out",
    recordNote: "Nothing is sent to the address or number any more. An unknown one becomes a contact.",
    lift: "Lift",
    liftNote: (value: string) =>
      `${value} can receive messages and calls again. Only a manager can lift an opt-out that the contact itself declared.`,
    notFound: (value: string) => `${value} is not an email address or phone number. Check it.`,
    value: "Address or number",
    contact: "Contact",
    channels: "Channels",
    since: "Since",
    source: "Declared",
    sources: { person: "to a person", form: "in a form", call: "in a call", writing: "in writing" },
    origin: "Origin",
    origins: {
      keyword: "STOP",
      wording: "Wording of a message",
      unsubscribe: "Link in an email",
      provider: "Carrier",
      crm: "CRM",
      person: "To a person",
      form: "In a form",
      call: "In a call",
      writing: "In writing"
    },
    proof: "Proof",
    proofHint: "For example the words of the contact, or the name of the form."
  },
  presets: {
    title: "Presets",
    empty: "This server has no presets.",
    apply: "Apply",
    applyNote:
      "Replaces the configuration, except for time zone, country and form. The former version stays in the history.",
    overwrite: "If a person has changed the configuration",
    choices: { no: "Keep it", yes: "Replace it" },
    industry: "Industry",
    description: "Made for",
    rules: "Rules"
  }
} as const
