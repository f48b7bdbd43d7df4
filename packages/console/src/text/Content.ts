/** The texts of the settings that give people prepared texts, actions, fields and stages. */
export const contentText = {
  rename: "Rename",
  removeNote: (name: string) => `${name} disappears for everybody. This cannot be undone.`,
  choices: { no: "No", yes: "Yes" },
  cannedReplies: {
    title: "Canned replies",
    empty: "No canned replies. A canned reply is a text that people insert into answers.",
    create: "Add canned reply",
    name: "Name",
    body: "Text",
    bodyHint: "A Liquid template, for example: Hello {{ contact.first_name }}",
    subject: "Subject of an email",
    shortcut: "Short form",
    folder: "Folder",
    uses: "Uses"
  },
  macros: {
    title: "Macros",
    empty: "No macros. A macro carries out several actions in a conversation.",
    create: "Add macro",
    createNote: "The actions are carried out in this order. An empty field adds none.",
    noAction: "A macro needs at least one action.",
    name: "Name",
    reply: "Reply with this template",
    tag: "Add this tag",
    assignee: "Assign to the user or team with this id",
    state: "Change the lead's state to",
    task: "Create a follow-up task with this title",
    actions: "Steps",
    actionTypes: {
      reply: "Reply",
      tag: "Tag",
      assign: "Assign",
      transition: "Lead state",
      create_task: "Task",
      notify: "Notify",
      suppress_reply: "No reply",
      stop: "Stop",
      crm_action: "CRM action"
    }
  },
  fields: {
    title: "Custom fields",
    empty: "No custom fields. A custom field adds a value to contacts, leads or companies.",
    create: "Add field",
    removeNote: (label: string) => `The values of ${label} disappear from all records. This cannot be undone.`,
    label: "Label",
    key: "Key",
    keyHint: "The name in the API: lower-case letters, digits and _. It never changes.",
    entity: "Records",
    entities: { contact: "Contacts", lead: "Leads", company: "Companies" },
    type: "Type",
    types: {
      text: "Text",
      number: "Number",
      date: "Date",
      boolean: "Yes or no",
      select: "One option",
      multi_select: "Several options",
      url: "Web address",
      user: "User"
    },
    options: "Options",
    optionsHint: "One per line.",
    required: "Required"
  },
  pipelines: {
    title: "Pipelines",
    empty: "No pipelines.",
    create: "Add pipeline",
    createNote: "The new pipeline has one stage for each state of a lead.",
    removeNote: (name: string) => `${name} can be removed only while it has no leads. This cannot be undone.`,
    name: "Name",
    stages: "Stages",
    stage: "Stage",
    state: "State of its leads",
    position: "New position",
    addStage: "Add stage",
    renameStage: "Rename stage",
    moveStage: "Move stage",
    removeStage: "Remove stage"
  }
} as const
