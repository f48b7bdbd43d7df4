/** The texts of the fields of triggers, and of the start of a rule by a person. */
export const triggerFormText = {
  trigger: "Trigger",
  types: {
    message_received: "a message arrives",
    no_answer: "the contact does not answer",
    unanswered: "nobody answers the contact",
    lead_state_changed: "the state of the lead changes",
    lead_stage_changed: "the stage of the lead changes",
    tag_added: "the contact gets a tag",
    tag_removed: "the contact loses a tag",
    field_changed: "a field changes",
    date_reached: "a date is reached",
    score_reached: "the score of the lead rises",
    task_due: "a task is due",
    link_opened: "the contact opens a link",
    schedule: "a time is reached",
    manual: "somebody starts the rule"
  },
  help: {
    link_opened:
      "Only links in emails of sequences and rules, and only if an administrator has switched on the tracking of links. Programs that check mail open links too.",
    schedule: "The rule runs for each contact of the segment that meets the conditions, at most 1,000 at once.",
    manual:
      "People start the saved rule for a contact on this page, and programs with the API. The conditions still decide."
  },
  fields: {
    after_minutes: "Minutes until the rule runs",
    from: "From",
    to: "To",
    tag: "Tag",
    entity: "Field of",
    field: "Key of the field",
    days: "Days from the date",
    at: "Time",
    score: "Score",
    task_type: "Type of the task",
    cron: "Time as a cron expression",
    segment: "Segment",
    sequence: "Sequence",
    url_prefix: "Beginning of the URL"
  },
  hints: {
    days: "-1: on the day before.",
    at: "HH:MM, in the time zone of the business. Empty: 09:00.",
    cron: "Minute, hour, day of the month, month and day of the week, in the time zone of the business. 0 9 * * 1: on Mondays at 9:00.",
    segment: "Only contacts of this segment.",
    from: "Empty: any.",
    to: "Empty: any.",
    url_prefix: "For example https://acme.com/prices. Empty: any."
  },
  any: "Any",
  contact: "The contact",
  none: { segment: "All contacts", sequence: "Any sequence and rule" },
  deleted: {
    segment: (id: string) => `Deleted segment ${id}`,
    sequence: (id: string) => `Deleted sequence ${id}`
  },
  run: {
    start: (name: string) => `Start ${name} for a contact`,
    button: "Start for a contact",
    for: (contact: string) => `For ${contact}:`,
    states: {
      waiting: "the rule is waiting",
      ran: "the rule ran",
      not_matched: "the conditions were not met",
      prevented: "the rule did not run"
    },
    outcomes: { done: "done", skipped: "skipped" }
  }
} as const
