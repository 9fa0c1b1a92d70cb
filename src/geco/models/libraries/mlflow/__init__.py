"""MLflow: a pyfunc is asked as it is, or is the model it holds."""
