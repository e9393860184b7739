"""Whether a typed backward message is right: checkers, instances, verdicts, diagnoses."""
