/** The texts of the reports. */
export const reportText = {
  title: "Reports",
  period: "Period",
  periods: { "7": "7 days", "30": "30 days", "90": "90 days" },
  group: "Group by",
  groups: { day: "Day", channel: "Channel", user: "User", source: "Source", tag: "Tag" },
  channel: "Channel",
  from: "From",
  to: "To",
  names: {
    volume: "Volume",
    response_times: "First response",
    resolution_times: "Resolution",
    automation: "Automation",
    conversion: "Conversion"
  },
  help: {
    volume: "Messages of contacts and messages to contacts.",
    response_times: "The median time from a message of a contact to the next message to the contact.",
    resolution_times: "The median time from the opening of a conversation to its closing.",
    automation: "The share of the processed messages for which the assistant wrote a reply.",
    conversion: "Leads that entered and left the stages of a pipeline."
  },
  metrics: {
    received: "Received",
    sent: "Sent",
    first_response: "First response",
    first_response_business: "First response, working hours",
    resolution: "Resolution",
    resolution_business: "Resolution, working hours",
    reply: "Reply of the assistant",
    stage_entered: "Entered",
    stage_left: "Left",
    stage_advanced: "Advanced",
    stage_value: "Value",
    won: "Won",
    lost: "Lost"
  },
  actors: { agent: "a person", assistant: "the assistant" },
  by: (metric: string, actor: string) => `${metric} by ${actor}`,
  rate: "Automation rate",
  unassigned: "None",
  counted: (time: string, zone: string) => `Counted until ${time}. Days are those of the time zone ${zone}.`,
  empty: "Nothing was counted in this period.",
  table: (name: string) => `Data of the report ${name}`,
  columns: {
    group: "Group",
    metric: "Metric",
    detail: "Detail",
    count: "Count",
    median: "Median",
    p90: "90th percentile",
    rate: "Rate"
  },
  download: (name: string) => `Download ${name} as CSV`
} as const
