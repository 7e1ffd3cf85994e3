"""What people see: the sheet and the scene as pages, and the demo.

The modules: ``sheet_page``, ``body``, ``holdings``, ``spells``, ``prayers``, ``scene_page``,
``grayscale``, ``demo``, ``finding``, ``possible``, ``first_questions``; for new characters
``creation``, ``skill_list``, ``foundry``.
"""
