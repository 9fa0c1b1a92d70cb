"""The figures that a change must keep, one file per subject. ``make acceptance`` runs them all."""
