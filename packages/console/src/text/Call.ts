/** The texts of the page of calls. */
export const callText = {
  title: "Calls",
  filters: "Filters",
  empty: "No calls.",
  filtered: "No call matches these filters.",
  direction: "Direction",
  directions: { inbound: "Inbound", outbound: "Outbound" },
  status: "Status",
  statuses: {
    queued: "Queued",
    ringing: "Ringing",
    in_progress: "In progress",
    completed: "Completed",
    busy: "Busy",
    no_answer: "Missed",
    canceled: "Canceled",
    failed: "Failed",
    unknown: "Unknown"
  },
  columns: {
    contact: "Contact",
    number: "Number",
    status: "Status",
    time: "Time",
    duration: "Duration",
    actions: "Actions"
  },
  callBack: "Call back",
  callBackTo: (name: string) => `Call back ${name}`,
  callBackCreated: "Task created",
  callBackNewest: "Task to call back for the newest missed call",
  noMissed: "No missed call in this list.",
  transcript: (name: string) => `Transcript of the call with ${name}`,
  transcriptShort: "Transcript",
  recording: (name: string) => `Save recording of the call with ${name}`,
  recordingShort: "Save recording",
  close: "Close"
} as const
