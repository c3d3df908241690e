UPDATE membership SET role = 'editor' WHERE role = 'member';
