/** The texts of the settings. */
export const settingsText = {
  title: "Settings",
  none: "Your role may not see any settings.",
  actions: "Actions",
  actionOn: (action: string, name: string) => `${action}: ${name}`,
  secret: {
    title: "Copy the secret now",
    message: "The server stores only a hash of it and cannot show it again.",
    label: "Secret",
    done: "Done"
  },
  users: {
    title: "Users",
    empty: "No users yet.",
    create: "Add user",
    edit: "Edit",
    editNote: "A new role ends the open console sessions of this person.",
    deactivate: "Deactivate",
    deactivateNote: (name: string) => `${name} is signed out immediately, and gets no new work.`,
    activate: "Activate",
    activateNote: (name: string) => `${name} may sign in again.`,
    name: "Name",
    email: "Email",
    role: "Role",
    roles: { agent: "Agent", manager: "Manager", admin: "Admin" },
    state: "State",
    active: "Active",
    inactive: "Deactivated"
  },
  apiKeys: {
    title: "API keys",
    empty: "No API keys. Programs need one to use the API.",
    create: "Create key",
    rotate: "Rotate",
    rotateNote: "The old key works for another 72 hours.",
    revoke: "Revoke",
    revokeNote: (name: string) => `Programs with the key ${name} lose access immediately. This cannot be undone.`,
    name: "Name",
    prefix: "Begins with",
    scopes: "Scopes",
    unlimited: "All",
    choices: {
      "": "All",
      read: "Read",
      messages: "Write messages, contacts and leads",
      "read,messages": "Read and write",
      pipeline: "Run the pipeline"
    },
    state: "State",
    states: { active: "Active", rotated: "Rotated", expired: "Expired", revoked: "Revoked" },
    lastUse: "Last use",
    never: "Never"
  },
  sessions: {
    title: "Sessions",
    empty: "No sessions.",
    revoke: "Revoke",
    revokeNote: "The person is signed out immediately. A link that nobody has opened stops working.",
    nobody: "No user",
    person: "Person",
    role: "Role",
    started: "Started",
    ends: "Ends at the latest"
  }
} as const
