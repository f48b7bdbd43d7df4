import { count } from "../Count.ts"

/** The texts of the results of sequences. */
export const resultText = {
  steps: "Answers by step and text",
  help: (enrolments: number) =>
    `Counted from the newest ${count(enrolments, "enrolment", "enrolments")}. An answer belongs to the newest message before it. Automatic mail is no answer.`,
  empty: "No message was sent yet.",
  columns: { step: "Step", text: "Text", sent: "Sent", answered: "Answered", share: "Share", opened: "Link opened" },
  own: "Text of the step",
  ownOf: "Text of the step (control)",
  groups: "Effect of the sequence",
  groupsHelp: "The holdout group gets no message. Compare the shares: the difference is the effect of the sequence.",
  noHoldout:
    "Nobody is in the holdout group, so that the effect cannot be measured. A manager sets its size in the editor.",
  since: (time: string) => `Enrolments since ${time}.`,
  noContacts: "Nobody was enrolled yet.",
  group: "Group",
  enrolled: "With the sequence",
  heldOut: "Holdout group",
  contacts: "Contacts",
  answered: "Answered",
  won: "Won",
  of: (number: number, share: string) => `${number} (${share})`,
  week: "The last seven days",
  weekHelp: "These messages count for the limits that pause the sequence.",
  emails: "Emails",
  texts: "Texts",
  bounced: "Bounced",
  complained: "Reported as spam",
  optedOut: "Opted out",
  ofLimit: (number: number, share: string, limit: string) => `${number} (${share}, limit ${limit} %)`
} as const
