import type { Golden } from "./Golden.ts"

/** Golden sentences of the preset `dental`. */
export const dental: ReadonlyArray<Golden> = [
  ["en", "support", "high", "emergency", "Terrible tooth pain since yesterday, I could not sleep at all."],
  ["en", "support", "high", "emergency", "My wisdom tooth is killing me and my jaw is swollen."],
  ["en", "support", "high", "emergency", "My daughter fell off her bike and knocked a front tooth out."],
  ["en", "support", "high", "emergency", "The gum won't stop bleeding after yesterday's extraction."],
  [
    "en",
    "booking",
    "medium",
    "appointment",
    "I'd like to book a cleaning, no pain or anything, just the yearly check."
  ],
  ["en", "booking", "low", "appointment", "Whenever you have a gap: could I get a check-up sometime next month?"],
  ["en", "cancellation", "medium", "reschedule", "I'm afraid I can't make it on Monday, please cancel my appointment."],
  ["en", "booking", "medium", "reschedule", "Would it be possible to reschedule to the afternoon?"],
  ["en", "information", "medium", "coverage", "Are you in network with Delta, and how high is the copay?"],
  ["en", "information", "medium", "new_patient", "We just moved here. Are you accepting new patients?"],
  ["en", "information", "medium", "clinical", "Is it safe to take this medication while I'm pregnant?"],
  ["en", "information", "medium", "records", "Please forward my dental records to Dr. Lee."],
  [
    "en",
    "complaint",
    "medium",
    "complaint",
    "The receptionist was extremely rude to me and I want to make a complaint."
  ],
  ["en", "other", "medium", "", "The swelling is gone and I feel great again, thank you all!"],
  ["en", "unsubscribe", "medium", "opt_out", "Stop sending me these reminders, I want to opt out."],
  ["de", "support", "high", "emergency", "Ich habe seit gestern furchtbare Zahnschmerzen."],
  ["de", "support", "high", "emergency", "Meinem Sohn ist ein Zahn ausgeschlagen worden, was sollen wir tun?"],
  ["de", "support", "high", "emergency", "Meine Wange ist stark geschwollen und es pocht."],
  [
    "de",
    "booking",
    "medium",
    "appointment",
    "Ich hätte gerne einen Termin zur professionellen Zahnreinigung, Schmerzen habe ich keine."
  ],
  ["de", "cancellation", "medium", "reschedule", "Ich muss meinen Termin morgen leider absagen."],
  ["de", "booking", "medium", "reschedule", "Können wir den Termin auf nächste Woche verschieben?"],
  ["de", "information", "medium", "new_patient", "Nehmen Sie noch neue Patienten auf?"],
  ["de", "information", "medium", "clinical", "Darf ich vor der Behandlung Ibuprofen nehmen?"],
  ["fr", "support", "high", "emergency", "J'ai une rage de dents insupportable depuis hier soir."],
  ["fr", "support", "high", "emergency", "Ma joue est toute gonflée et j'ai très mal aux dents."],
  ["fr", "booking", "medium", "appointment", "Je souhaiterais prendre rendez-vous pour un détartrage."],
  ["fr", "booking", "medium", "appointment", "Je n'ai pas mal, je voudrais juste un rendez-vous de contrôle."],
  ["fr", "cancellation", "medium", "reschedule", "Je suis obligé d'annuler mon rendez-vous de vendredi."],
  ["fr", "information", "medium", "new_patient", "Acceptez-vous de nouveaux patients ?"],
  [
    "fr",
    "complaint",
    "medium",
    "complaint",
    "C'est inadmissible, j'ai attendu deux heures et personne ne s'est excusé."
  ],
  ["es", "support", "high", "emergency", "Tengo un dolor de muelas terrible desde ayer."],
  ["es", "support", "high", "emergency", "Se me ha roto un diente y no para de sangrar."],
  ["es", "booking", "medium", "appointment", "Quería pedir cita para una limpieza dental."],
  ["es", "booking", "medium", "reschedule", "¿Podríamos cambiar la cita para otro día?"],
  ["es", "cancellation", "medium", "reschedule", "Necesito anular mi cita de mañana."],
  ["es", "information", "medium", "new_patient", "¿Aceptan pacientes nuevos?"],
  ["es", "booking", "medium", "appointment", "No tengo dolor, solo quiero una cita para la revisión anual."],
  ["it", "support", "high", "emergency", "Ho un terribile mal di denti da ieri sera."],
  ["it", "support", "high", "emergency", "Mi si è rotto un dente e la guancia è gonfia."],
  ["it", "booking", "medium", "appointment", "Vorrei prenotare una pulizia dei denti, nessun dolore per fortuna."],
  ["it", "cancellation", "medium", "reschedule", "Devo annullare l'appuntamento di giovedì."],
  ["it", "booking", "medium", "reschedule", "Si potrebbe spostare l'appuntamento di qualche giorno?"],
  ["it", "information", "medium", "new_patient", "Accettate nuovi pazienti?"],
  ["it", "complaint", "medium", "complaint", "Vorrei fare un reclamo: la segretaria è stata molto maleducata."]
]
