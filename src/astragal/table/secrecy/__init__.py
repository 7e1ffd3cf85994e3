"""Who may know what: audiences, what others are shown instead, and the scene as all know it."""
