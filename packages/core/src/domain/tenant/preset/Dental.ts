import { defaultConfig } from "../TenantConfig.ts"
import {
  byHand,
  everyBusiness,
  everyGuardrail,
  isAbout,
  mayBeUrgent,
  reply,
  type Scaffold,
  says,
  tag,
  task
} from "./Scaffold.ts"

/**
 * For dental practices. Pain has precedence, replies contain no clinical statements, and a person approves every reply.
 */
export const dental: Scaffold = {
  name: "dental",
  title: "Dental practice",
  description:
    "Dentists under HIPAA: emergencies first, then appointments and insurance questions. Replies contain nothing clinical.",
  notes: [
    "For HIPAA, create the tenant with hipaa: true, which closes every email endpoint for it. A preset cannot change this setting. Without it, this preset also works with email.",
    "Templates repeat nothing that a patient wrote."
  ],
  config: {
    ...defaultConfig,
    classifier: "keywords",
    replyMode: "draft",
    takeoverHours: 48,
    assistant: {
      ...defaultConfig.assistant,
      instructions:
        "Warm and brief. Only about appointments, opening hours and paperwork. Never name symptoms, treatments, medicines or results, never repeat what the patient wrote about their health; ask them to call instead."
    },
    guardrails: [
      ...everyGuardrail("20:00", "08:00", 2),
      { id: "links", kind: "no_links" },
      { id: "prices", kind: "no_prices" },
      { id: "certain", kind: "min_confidence", min: 0.4 },
      {
        id: "clinical",
        kind: "blocked_phrases",
        outcome: "block",
        phrases: [
          "diagnosis",
          "diagnosed",
          "infection",
          "abscess",
          "root canal",
          "antibiotic",
          "antibiotics",
          "ibuprofen",
          "prescription",
          "prescribe",
          "x-ray shows",
          "test results",
          "you should take",
          "cavity",
          "gum disease"
        ]
      },
      { id: "complaints", kind: "blocked_intents", intents: ["complaint"], outcome: "block" }
    ],
    scoreWeights: { urgency: 2.5, has_phone: 2, price_question: 0.5 },
    rules: [
      ...everyBusiness,
      {
        id: "emergency",
        name: "Pain and accidents get an immediate callback",
        priority: 10,
        when: {
          all: [
            mayBeUrgent,
            {
              any: [
                says(
                  "severe pain",
                  "terrible pain",
                  "tooth pain",
                  "killing me",
                  "unbearable",
                  "knocked out",
                  "tooth out"
                ),
                says("broken tooth", "cracked tooth", "toothache", "bleeding", "swelling", "swollen", "abscess"),
                says("trouble breathing", "cannot swallow", "can't swallow", "dental emergency", "emergency"),
                says(
                  "zahnschmerzen",
                  "zahnschmerz",
                  "starke schmerzen",
                  "unerträglich",
                  "ausgeschlagen",
                  "abgebrochen"
                ),
                says("geschwollen", "schwellung", "blutet", "blutung", "nachblutung", "abszess", "notfall"),
                says("rage de dents", "mal aux dents", "insupportable", "dent cassée", "gonflée", "gonflé", "enflée"),
                says("saigne", "saignement", "abcès", "urgence dentaire", "dolor de muelas", "dolor de dientes"),
                says(
                  "dolor de muela",
                  "mucho dolor",
                  "dolor insoportable",
                  "diente roto",
                  "roto un diente",
                  "hinchada"
                ),
                says("hinchado", "sangra", "sangrar", "flemón", "emergencia", "mal di denti", "dente rotto"),
                says("rotto un dente", "insopportabile", "gonfia", "gonfio", "sanguina", "ascesso", "emergenza")
              ]
            }
          ]
        },
        actions: [
          tag("emergency"),
          task("callback", "Call a patient with an emergency now", 10),
          reply(
            "Thank you for your message. Please call our practice right away so that we can help you today.",
            "If you have trouble breathing or swallowing, or bleeding that does not stop, call the emergency number now."
          ),
          { type: "stop" }
        ]
      },
      {
        id: "clinical",
        name: "Clinical questions go to a dentist",
        priority: 20,
        when: says(
          "medication",
          "antibiotics",
          "ibuprofen",
          "dose",
          "prescription",
          "pregnant",
          "allergic",
          "side effects",
          "medikament",
          "medikamente",
          "antibiotikum",
          "schwanger",
          "allergisch",
          "médicament",
          "médicaments",
          "antibiotiques",
          "ibuprofène",
          "enceinte",
          "medicamento",
          "medicamentos",
          "antibióticos",
          "ibuprofeno",
          "embarazada",
          "farmaco",
          "farmaci",
          "antibiotici",
          "ibuprofene",
          "incinta"
        ),
        actions: [tag("clinical"), task("callback", "A dentist answers a clinical question", 60), ...byHand]
      },
      {
        id: "records",
        name: "Requests for records",
        priority: 30,
        when: says(
          "my records",
          "dental records",
          "x rays",
          "x ray",
          "medical records",
          "release form",
          "patientenakte",
          "röntgenbilder",
          "mon dossier",
          "radiographies",
          "mi historial",
          "radiografías",
          "cartella clinica",
          "radiografie"
        ),
        actions: [tag("records"), task("review", "Identify the patient, then release records", 1_440), ...byHand]
      },
      {
        id: "reschedule",
        name: "Appointments to move",
        priority: 40,
        when: {
          any: [
            isAbout("cancellation"),
            says(
              "reschedule",
              "running late",
              "cannot make it",
              "cant make it",
              "verschieben",
              "verlegen",
              "verspäte mich",
              "reporter",
              "décaler",
              "cambiar la cita",
              "otro día",
              "aplazar",
              "spostare",
              "rimandare",
              "rinviare"
            )
          ]
        },
        actions: [
          tag("reschedule"),
          task("callback", "Move or cancel an appointment", 60),
          reply("Thank you for letting us know. We will call you to find another time."),
          { type: "stop" }
        ]
      },
      {
        id: "coverage",
        name: "Insurance and payment",
        priority: 50,
        when: says(
          "insurance",
          "coverage",
          "copay",
          "in network",
          "medicaid",
          "payment plan",
          "deductible",
          "krankenkasse",
          "versicherung",
          "ratenzahlung",
          "mutuelle",
          "assurance",
          "remboursement",
          "seguro dental",
          "mi seguro",
          "assicurazione",
          "rateizzare"
        ),
        actions: [
          tag("coverage"),
          task("follow_up", "Check the coverage of a patient", 480),
          reply(
            "Thank you for asking. Please have your insurance card at hand and call us. We will check your coverage together."
          )
        ]
      },
      {
        id: "new_patient",
        name: "New patients",
        priority: 60,
        when: says(
          "new patient",
          "new patients",
          "accepting patients",
          "taking patients",
          "first visit",
          "neue patienten",
          "neupatient",
          "neupatienten",
          "nouveaux patients",
          "nouveau patient",
          "nouvelle patiente",
          "pacientes nuevos",
          "nuevos pacientes",
          "nuovi pazienti",
          "nuovo paziente"
        ),
        actions: [
          tag("new_patient"),
          task("callback", "Welcome a new patient", 120),
          reply("Welcome. Which days and times suit you for a first visit? We will call you to confirm.")
        ]
      },
      {
        id: "appointment",
        name: "Appointments",
        priority: 70,
        when: isAbout("booking"),
        actions: [
          tag("appointment"),
          task("callback", "Agree on an appointment", 120),
          reply("Gladly. Which days and times suit you? We will call you to confirm.")
        ]
      }
    ]
  }
}
