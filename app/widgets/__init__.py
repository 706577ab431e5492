"""What a person sees and touches. Widgets show and report; they decide nothing and hold no truth."""
